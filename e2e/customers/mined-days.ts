import assert from 'node:assert/strict';
import type { Client } from '@kurs/contract/client';
import { type Chains, partsOf } from './chains.ts';
import { type Exchange, type Key, type Order, type Wish, awaits, mining, place, reaches } from './customer.ts';

type Chain = 'bitcoin' | 'evm';

/** What journeys do on chains that make blocks only when a test says so. */
export interface MinedDays {
  /** Every order that was placed here, for a last look at all of them. */
  readonly exchanges: Exchange[];
  placed(wish: Wish): Promise<Exchange>;
  mine(chain: Chain, blocks: number): Promise<unknown>;
  waitFor(key: Key, words: string, is: (order: Order) => boolean): Promise<Order>;
  /** Waits until an order is done; its customer has on the chain what the order says, once. */
  paidOut(key: Key, receive: string): Promise<bigint>;
}

/** The actions on a system that is started later. */
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
