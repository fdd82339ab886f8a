// Tests a rail that has less than the books: what its currency promises, and what ends the difference.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { newId, putSetting, watchSettings } from '../../platform/index.ts';
import { claimCapital, unshownCapital } from './capital-claims.ts';
import { fundDesk } from './capital.ts';
import { markStuck } from './corrections.ts';
import { payable } from './float.ts';
import { bookDifference, differences, reconcile } from './reconcile.ts';
import { offCurrencies } from './lasting-difference.ts';
import { type Desk, fixedValues, openDesk } from '../scenarios/world.testing.ts';

const MINUTE = 60_000;
let desk: Desk;
beforeEach(async () => {
  desk = await openDesk({ id: 'bitcoin' });
  await fund(10_000_000_000n);
  await compare();
});
afterEach(() => desk.close());

async function fund(parts: bigint): Promise<void> {
  await desk.db.tx((tx) => fundDesk(tx, { id: newId(), currency: 'BTC', place: 'hot', parts }, fixedValues));
}
/** Polls the rail, and reconciles it with the books. */
async function compare(minutes = 0): Promise<void> {
  await desk.pass(minutes * MINUTE + 1_000);
  await desk.read();
  await reconcile(desk.db, fixedValues);
}
const isOff = async (): Promise<boolean> => (await offCurrencies(desk.db)).has('BTC');
const promises = async (): Promise<boolean> => (await payable(desk.db, 'BTC')) > 0n;

test('promises nothing after ten minutes, until both agree', async () => {
  assert.deepEqual([await isOff(), await promises()], [false, true]);
  desk.world.fund('BTC', 'hot', -100_000_000n);
  await compare();
  assert.deepEqual([await isOff(), await promises()], [false, true], 'not yet');
  for (let minute = 0; minute < 10; minute += 1) await compare(1);
  assert.deepEqual([await isOff(), await promises()], [true, false]);
  desk.world.fund('BTC', 'hot', 100_000_000n);
  await compare();
  assert.deepEqual([await isOff(), await promises()], [false, true]);
});

test('promises again once the difference is booked', async () => {
  desk.world.fund('BTC', 'hot', -100_000_000n);
  await compare();
  for (let minute = 0; minute < 10; minute += 1) await compare(1);
  assert.equal(await isOff(), true);
  await desk.db.tx((tx) => bookDifference(tx, { id: newId(), currency: 'BTC', place: 'hot', parts: -100_000_000n }, fixedValues));
  assert.equal(await isOff(), false);
  await compare();
  assert.equal(await isOff(), false);
});

test('a lasting shortfall of half a percent stops nothing', async () => {
  desk.world.fund('BTC', 'hot', -50_000_000n);
  await compare();
  for (let minute = 0; minute < 12; minute += 1) await compare(1);
  assert.equal(await isOff(), false);
});

test('a movement after the balance’s own time is no difference', async () => {
  await desk.pass(1_000);
  await fund(300_000_000n);
  await reconcile(desk.db, fixedValues);
  const [row] = (await desk.db.rows<{ compared: string }>(`select compared from reconciliation where place = 'hot'`)) as [
    { compared: string },
  ];
  assert.equal(row.compared, '0');
  assert.equal(
    (await differences(desk.db)).find(({ place }) => place === 'hot')?.parts,
    -300_000_000n,
    'people see both as they are',
  );
});

test('a balance that may be hours old is compared only once nothing has moved for so long; then too old a comparison counts', async () => {
  await desk.db.tx(async (tx) => {
    await putSetting(tx, 'payments.balance_lag_minutes', { bitcoin: 240 }, 'test');
    await putSetting(tx, 'payments.comparison_minutes', { default: 10, bitcoin: 300 }, 'test');
  });
  const settings = await watchSettings(desk.db);
  try {
    await lagging();
  } finally {
    await settings.stop();
  }
});

async function lagging(): Promise<void> {
  desk.world.fund('BTC', 'hot', -100_000_000n);
  for (let hour = 0; hour < 3; hour += 1) await compare(60);
  assert.equal(await isOff(), false, 'the balance may be older than the capital');
  await compare(70);
  await compare(11);
  assert.equal(await isOff(), true);
  desk.world.fund('BTC', 'hot', 100_000_000n);
  await compare();
  assert.equal(await isOff(), false);
  for (let hour = 0; hour < 5; hour += 1) {
    await move();
    await compare(59);
  }
  assert.equal(await isOff(), false);
  await move();
  await compare(20);
  assert.equal(await isOff(), true, 'its owner has no answer for five hours');
}

/** Something moves at the hot wallet and back. */
async function move(): Promise<void> {
  for (const isBack of [false, true])
    await desk.db.tx((tx) => markStuck(tx, { id: newId(), currency: 'BTC', parts: 1n, isBack }, fixedValues));
}

test('booked capital is claimed until its rail shows it; a claim of more than arrived stays', async () => {
  const unshown = async () => (await unshownCapital(desk.db)).get('BTC') ?? 0n;
  const claim = (parts: bigint) =>
    desk.db.tx(async (tx) => {
      const id = newId();
      await claimCapital(tx, { id, currency: 'BTC', parts });
      await fundDesk(tx, { id, currency: 'BTC', place: 'hot', parts }, fixedValues);
    });
  await claim(1_000_000_000n);
  await compare();
  assert.equal(await unshown(), 1_000_000_000n);
  desk.world.fund('BTC', 'hot', 100_000_000n);
  for (let minute = 0; minute < 12; minute += 1) await compare(1);
  assert.equal(await unshown(), 1_000_000_000n, 'a tenth of it came');
  assert.equal(await isOff(), false, 'the claimed capital may be on its way');
  desk.world.fund('BTC', 'hot', 900_000_000n);
  await compare();
  assert.equal(await unshown(), 0n);
});
