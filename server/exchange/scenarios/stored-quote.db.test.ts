import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { format, percent, breakdownForGive } from '@kurs/money';
import { estimateSendingTo } from '../../payments/index.ts';
import { currentTerms, saveDirection, saveRailCost } from '../../pricing/index.ts';
import { heldBreakdown } from '../calculation/calculation.ts';
import { readCalculation } from '../calculation/calculation-store.ts';
import { placeOrder } from '../actions/place-order.ts';
import { type World, openWorld } from './world.testing.ts';

let world: World;
before(async () => {
  world = await openWorld();
});
after(() => world.close());

const direction = (share: string) => ({
  slug: 'btc-usdt-erc20',
  from: 'BTC',
  to: 'USDT_ERC20',
  spread: [{ from: '0', percent: share }],
  isOn: true,
  position: 1,
});

test('a held quote and its order stay the same to the last digit after small changes of every price', async () => {
  const { db } = world;
  await db.tx((tx) => saveRailCost(tx, { currency: 'USDT_ERC20', side: 'payout', percent: '1' }, 'test'));
  await world.pass(0);
  let known = await world.calculate();
  const held = async () => (await readCalculation(db, known.id))?.found.held ?? assert.fail('holds nothing');
  await heard(async () => {
    if ((await held()).madeFrom?.payout === 1) return true;
    known = await world.calculate();
    return false;
  });
  const before = await held();
  assert.deepEqual(before.madeFrom, { direction: 1, payin: 0, payout: 1 });
  const breakdown = heldBreakdown(before);
  await db.tx(async (tx) => {
    await saveDirection(tx, direction('0.6'), 'test');
    await saveRailCost(tx, { currency: 'USDT_ERC20', side: 'payout', percent: '1.05', fixed: '0.1' }, 'test');
    await saveRailCost(tx, { currency: 'BTC', side: 'payin', percent: '0.05' }, 'test');
  });
  await heard(async () => currentTerms('BTC', 'USDT_ERC20')?.terms.costs.some(({ code }) => code === 'payin'));
  assert.deepEqual(heldBreakdown(await held()), breakdown, 'as it is stored');
  assert.equal(format(breakdown.get, 2), before.shown.get.amount);

  const { view } = await placeOrder(world.deps, known);
  assert.equal(view.get?.parts, breakdown.get.parts);
  const terms = view.pinned.terms ?? assert.fail('no terms');
  assert.deepEqual(breakdownForGive(breakdown.give, terms), breakdown, 'as the order keeps it');
  assert.deepEqual(view.pinned.madeFrom, before.madeFrom);
  // The named versions contain the values that the quote was made from.
  const row = await db.row<{ body: { spread: { percent: string }[] } }>(
    'select body from direction_history where slug = $1 and version = $2',
    ['btc-usdt-erc20', view.pinned.madeFrom?.direction],
  );
  assert.equal(row?.body.spread[0]?.percent, breakdown.components[0]?.percent);
  const cost = await db.row<{ body: { percent: string } }>(
    `select body from rail_cost_history where currency = 'USDT_ERC20' and side = 'payout' and version = $1`,
    [view.pinned.madeFrom?.payout],
  );
  assert.equal(cost?.body.percent, '1');
  const snapshot = await db.row('select 1 as there from rate_snapshot where version = $1', [view.pinned.ratesVersion]);
  assert.ok(snapshot);
});

/** Waits for a change that other processes learn of a moment later. */
async function heard(isSo: () => Promise<boolean | undefined>): Promise<void> {
  for (let tries = 0; tries < 1000 && !(await isSo()); tries += 1) {
    await pause(50);
    await world.pass(0);
  }
}

test('placing requires a new review if current spread and costs exceed the quoted ones by over 0.3 % of the amount', async (t) => {
  const { db } = world;
  const known = await world.calculate();
  const isNow = async (share: string): Promise<boolean> => {
    const [step] = currentTerms('BTC', 'USDT_ERC20')?.terms.spread ?? [];
    return isDeepStrictEqual(step?.percent, percent(share));
  };
  t.after(() => db.tx((tx) => saveDirection(tx, direction('0.6'), 'test')));
  await db.tx((tx) => saveDirection(tx, direction('0.91'), 'test'));
  await heard(() => isNow('0.91'));
  await assert.rejects(placeOrder(world.deps, known), { code: 'market_moved' });
  await db.tx((tx) => saveDirection(tx, direction('0.89'), 'test'));
  await heard(() => isNow('0.89'));
  const { view } = await placeOrder(world.deps, known);
  assert.deepEqual(view.pinned.terms?.spread[0]?.percent, percent('0.6'), 'what was confirmed is booked');
});

test('a sending cost that depends on the account is in the quote from step 2 on, and in the order', async (t) => {
  const { payout } = world.rails.USDT_ERC20.rail;
  assert.ok(payout);
  const usual = await payout.estimate('USDT_ERC20');
  Object.assign(payout, { estimateFor: async () => ({ ...usual, parts: usual.parts * 3n }) });
  t.after(() => delete payout.estimateFor);
  const line = (order: Awaited<ReturnType<World['place']>>) => {
    const { give, pinned } = order.view;
    const breakdown = breakdownForGive(
      { unit: give.unit, parts: give.parts } as Parameters<typeof breakdownForGive>[0],
      pinned.terms!,
    );
    return breakdown.components.find(({ code }) => code === 'network')?.amount ?? 0n;
  };
  const dear = line(await world.place());
  delete payout.estimateFor;
  const cheap = line(await world.place());
  // 0.0003 ETH, compared with the usual sending cost of 0.0002.
  assert.deepEqual([dear, cheap], [1_000n, 667n]);
  Object.assign(payout, { estimateFor: async () => Promise.reject(new Error('silent')) });
  assert.equal(line(await world.place()), cheap, 'a rail that doesn’t answer has its usual cost');
  Object.assign(payout, { estimateFor: () => new Promise(() => {}) });
  await assert.rejects(estimateSendingTo('USDT_ERC20', {}, 20), /no answer within 20 ms/, 'nobody waits for it for ever');
});
