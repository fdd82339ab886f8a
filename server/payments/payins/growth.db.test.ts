// Coin handed on by a contract: no poll shows it, but the balance of its address does.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Problem } from '@kurs/contract';
import type { HandedOn, Lies, ObservedPayment, ReceivingAddress } from '../../rails/rail.ts';
import { type Growth, bookArrival, checkHandedOn, growths } from './book-arrival.ts';
import { weighAddresses } from './growth.ts';
import { type Desk, events, openDesk } from '../scenarios/world.testing.ts';

const PARTS = 100_000n;
const TX = 'f'.repeat(64);
const BY = { by: ['ann', 'bob'], evidence: 'the explorer’s page' } as const;

/** A chain on which contracts hand coin on: amounts by address, each within a transaction. */
interface Chain {
  readonly handed: Map<string, HandedOn[]>;
  /** Blocks that were searched by traces. */
  readonly searched: { readonly from: number; readonly to: number }[];
  height: number;
}

async function withChain(work: (desk: Desk, chain: Chain) => Promise<void>, traces = false): Promise<void> {
  const desk = await openDesk({}, { callMs: 5_000 });
  const chain: Chain = { handed: new Map(), searched: [], height: 100 };
  const { payin } = desk.rail;
  const { observe } = payin;
  const at = (to: string) => chain.handed.get(to) ?? [];
  const plain = (to: string): bigint =>
    desk.world
      .paying(to)
      .reduce((sum, { outputs }) => sum + outputs.reduce((all, one) => (one.to === to ? all + one.parts : all), 0n), 0n);
  Object.assign(payin, {
    lies: async (addresses: readonly string[]): Promise<Lies> => ({
      currency: 'BTC',
      height: chain.height,
      parts: new Map(addresses.map((to) => [to, at(to).reduce((sum, { parts }) => sum + parts, plain(to))])),
    }),
    observe: async (addresses: readonly ReceivingAddress[], unread: () => void) => [
      ...(await observe(addresses, unread)),
      ...addresses.flatMap(({ to, handedOn = [] }) =>
        handedOn.filter(({ txid }) => at(to).some((one) => one.txid === txid)).map((one) => shown(to, one)),
      ),
    ],
    ...(traces && {
      traced: async (to: string, blocks: Chain['searched'][number]) => {
        chain.searched.push(blocks);
        return at(to);
      },
    }),
  });
  try {
    await work(desk, chain);
  } finally {
    await desk.close();
  }
}

const shown = (to: string, { txid, parts }: HandedOn): ObservedPayment => ({
  ...{ key: `${txid}:handed:${to}`, currency: 'BTC', to, parts, txid, from: ['contract'] },
  status: { at: 'block', height: 1, hash: 'h', minedAt: new Date(1_767_225_600_000), confirmations: 100, isFinalised: true },
});

/** Polls and weighs all addresses, often enough to be sure. */
async function weigh(desk: Desk, chain: Chain, times = 2): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await desk.pass(11 * 60_000);
    chain.height += 50;
    await desk.turn();
    await weighAddresses(desk.deps, desk.rail);
  }
}

const one = async (desk: Desk): Promise<Growth> => (await growths(desk.db))[0] ?? assert.fail('a task is open');
const fails = (code: string) => (error: Problem) => error.code === code;

describe('coin that a contract handed on', () => {
  it('becomes a task if a poll does not explain it, and a payment like any other by the decision of two people', () =>
    withChain(async (desk, chain) => {
      const { order, to } = await desk.open();
      await weigh(desk, chain, 1);
      chain.handed.set(to, [{ txid: TX, parts: PARTS }]);
      await weigh(desk, chain, 1);
      assert.deepEqual(await growths(desk.db), [], 'a poll may show which payment it is');
      await weigh(desk, chain, 1);
      const growth = await one(desk);
      assert.deepEqual([growth.to, growth.parts, growth.owner.id, growth.blocks], [to, PARTS, order, { after: 150, upTo: 250 }]);
      await checkHandedOn(growth, { txid: TX, parts: PARTS });
      await desk.db.tx((tx) => bookArrival(tx, growth, { txid: TX, parts: PARTS, ...BY }));
      assert.deepEqual(await growths(desk.db), [], 'it is accounted for');
      await desk.turn();
      await desk.turn();
      const published = await desk.payins(order);
      assert.deepEqual(
        [events(published).at(-1), published.at(-1)?.parts, published.at(-1)?.txid],
        ['final', PARTS.toString(), TX],
      );
      await weigh(desk, chain, 3);
      assert.deepEqual(await growths(desk.db), [], 'and stays so');
    }));

  it('is never booked twice for the same growth, for more than there is, or by a transaction that does not exist', () =>
    withChain(async (desk, chain) => {
      const { to } = await desk.open();
      await weigh(desk, chain, 1);
      chain.handed.set(to, [{ txid: TX, parts: PARTS }]);
      await weigh(desk, chain);
      const growth = await one(desk);
      await assert.rejects(checkHandedOn(growth, { txid: 'e'.repeat(64), parts: PARTS }), fails('action_not_open'));
      const book = (txid: string, parts: bigint) => desk.db.tx((tx) => bookArrival(tx, growth, { txid, parts, ...BY }));
      await assert.rejects(book(TX, PARTS + 1n), fails('not_enough_there'));
      await book(TX, PARTS);
      await assert.rejects(book(TX, PARTS), fails('not_enough_there'));
      await assert.rejects(book('e'.repeat(64), PARTS), fails('not_enough_there'), 'another transaction for the same growth');
      await weigh(desk, chain, 3);
      await assert.rejects(book('e'.repeat(64), 1n), fails('not_enough_there'));
      chain.handed.set(to, [
        { txid: TX, parts: PARTS },
        { txid: 'd'.repeat(64), parts: 5_000n },
      ]);
      await weigh(desk, chain);
      assert.equal((await one(desk)).parts, 5_000n, 'a new growth is a new task');
      await assert.rejects(book(TX, 5_000n), fails('action_not_open'), 'one transaction is booked once per address');
    }));

  it('is no task if seen payments explain the balance, or the rest is less than dust', () =>
    withChain(async (desk, chain) => {
      const [paid, dusty] = [await desk.open(), await desk.open()];
      await weigh(desk, chain, 1);
      desk.world.pay(paid.to, PARTS);
      desk.world.mine();
      chain.handed.set(dusty.to, [{ txid: TX, parts: 1n }]);
      await weigh(desk, chain, 3);
      assert.deepEqual(await growths(desk.db), []);
    }));

  it('is no task if a later poll shows it: it is that payment', () =>
    withChain(async (desk, chain) => {
      const { order, to } = await desk.open();
      await weigh(desk, chain, 1);
      desk.world.pay(to, PARTS);
      desk.world.mine();
      await desk.pass(11 * 60_000);
      await weighAddresses(desk.deps, desk.rail);
      assert.deepEqual(await growths(desk.db), []);
      await weigh(desk, chain, 2);
      assert.deepEqual([await growths(desk.db), events(await desk.payins(order)).at(-1)], [[], 'final']);
    }));

  it('is no task after our own sweep, even before the settled blocks show it', () =>
    withChain(async (desk, chain) => {
      const { to } = await desk.open();
      await weigh(desk, chain, 1);
      desk.world.pay(to, PARTS);
      desk.world.mine();
      await weigh(desk, chain, 1);
      await desk.db.run(
        `insert into payment_attempt (id, rail, purpose, reference, items, number, currency, parts, raw, spends, fee_currency, fee,
           fee_known, is_fee_posted, status, height, stored_at)
         select gen_random_uuid(), rail, 'collect', 'swept', '{}', number, 'BTC', $2, '', '{}', 'BTC', 7, 'mined', true, 'final', $3, clock_now()
         from receiving_address where to_text = $1`,
        [to, PARTS - 7n, chain.height + 140],
      );
      await weigh(desk, chain, 2);
      assert.deepEqual(await growths(desk.db), [], 'by the settled blocks it is still there');
      chain.handed.set(to, [{ txid: TX, parts: -PARTS }]);
      await weigh(desk, chain, 2);
      assert.deepEqual(await growths(desk.db), [], 'and now it has left');
    }));

  it('is found automatically if the node gives traces, in the blocks between the two weighings only', () =>
    withChain(async (desk, chain) => {
      const { order, to } = await desk.open();
      await weigh(desk, chain, 1);
      chain.handed.set(to, [{ txid: TX, parts: PARTS }]);
      await weigh(desk, chain, 1);
      assert.deepEqual(chain.searched, [{ from: 151, to: 200 }]);
      await desk.turn();
      await desk.turn();
      const published = await desk.payins(order);
      assert.deepEqual(
        [events(published).at(-1), published.at(-1)?.parts, published.at(-1)?.txid],
        ['final', PARTS.toString(), TX],
      );
      await weigh(desk, chain, 3);
      assert.deepEqual([await growths(desk.db), chain.searched.length], [[], 1]);
      // The node shows once more what is booked already, and something else twice.
      const more = { txid: 'd'.repeat(64), parts: PARTS };
      chain.handed.set(to, [{ txid: TX, parts: PARTS }, more]);
      const traced = desk.rail.payin?.traced ?? assert.fail('it gives traces');
      Object.assign(desk.rail.payin ?? {}, {
        traced: async (...request: Parameters<typeof traced>) => [...(await traced(...request)), more],
      });
      await weigh(desk, chain, 1);
      await desk.turn();
      await desk.turn();
      const rows = await desk.db.rows<{ txid: string }>(`select txid from handed_on order by txid`);
      assert.deepEqual(
        rows.map(({ txid }) => txid),
        [more.txid, TX],
      );
    }, true));
});
