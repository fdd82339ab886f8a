import assert from 'node:assert/strict';
import type { Client } from '@kurs/contract/client';
import { type Chains, partsOf } from './chains.ts';
import { type Exchange, type Key, type Order, type Wish, awaits, mining, place, reaches } from './customer.ts';

type Chain = 'bitcoin' | 'evm';

/** Actions of journeys on chains that make blocks only when a test requests them. */
export interface MinedDays {
  /** All orders placed with `placed`, for a final comparison. */
  readonly exchanges: Exchange[];
  placed(wish: Wish): Promise<Exchange>;
  mine(chain: Chain, blocks: number): Promise<unknown>;
  waitFor(key: Key, words: string, is: (order: Order) => boolean): Promise<Order>;
  /**
   * Mines until an order is done, and asserts that its customer received the order's amount on the chain exactly once. Returns
   * the amount.
   */
  paidOut(key: Key, receive: string): Promise<bigint>;
}

/** Returns the actions for a system that may be started later: `open` is called at each use. */
export function minedDays(open: () => { client: Client; chains: Chains }): MinedDays {
  const exchanges: Exchange[] = [];
  return {
    exchanges,
    async placed(wish) {
      const exchange = await place(open().client, wish);
      exchanges.push(exchange);
      return exchange;
    },
    mine: (chain, blocks) => open().client.sandboxMine({ chain, blocks }),
    waitFor: (key, words, is) => awaits(open().client, key, words, is),
    async paidOut({ id, token }, receive) {
      const { client, chains } = open();
      const { get } = await mining(client, reaches(client, { id, token }, 'done'));
      const sum = partsOf(get?.currency ?? '', get?.amount ?? '');
      assert.equal(await chains.holds(get?.currency ?? '', receive), sum);
      return sum;
    },
  };
}
