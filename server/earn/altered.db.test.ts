// Draws, tasks and orders that SQL changed: they give no prize, and nothing is paid twice.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { balance } from '../ledger/index.ts';
import { type AccountHolder, type Db, advanceClock, configureLog, newId } from '../platform/index.ts';
import { potAccount } from '../pots/index.ts';
import { openBeginning } from './begin.ts';
import { openClaiming } from './claim.ts';
import { DAY_MS, partsOf } from './draw.ts';
import { type EarnWorld, openEarnWorld } from './earn.testing.ts';
import { earnedBy } from './orders.ts';
import { toWallet } from './out.ts';
import { payTask } from './tasks.ts';

let world: EarnWorld;
let db: Db;
before(async () => {
  world = await openEarnWorld();
  ({ db } = world);
  configureLog({ sink: () => {} });
  await world.holdInPot('500');
});
after(() => world.close());

const inPot = (): Promise<bigint> => balance(db, potAccount('earn'));
const refuses = (work: Promise<unknown>, code: string): Promise<void> =>
  assert.rejects(work, (error: Problem) => error.code === code || assert.fail(error));
const begin = async (holderId: string) => openBeginning(db)({ holderId, spend: async () => undefined });

/** Changes of an open draw. `$1`: the draw; `$2`: another open one. */
const DRAWS: Readonly<Record<string, string>> = {
  'its table': `prizes = '[{"prize": "40", "chance": "10000"}]'`,
  'its seed': `seed = decode(repeat('00', 32), 'hex')`,
  'the most that it gives': 'max = max * 100',
  'until when it may be claimed': `ends_at = ends_at + interval '1 day'`,
  'its hour': `hour = hour - interval '1 hour'`,
  'what it takes of the day': 'counts = 0',
  'the seed, the table and the MAC of another': '(seed, prizes, mac) = (select seed, prizes, mac from earn_draw where id = $2)',
  'no MAC': 'mac = null',
};

for (const [what, change] of Object.entries(DRAWS)) {
  test(`an open draw that was changed by SQL gives nothing: ${what}`, async () => {
    const [mine, other] = [newId(), newId()];
    const [draw, second] = [await begin(mine), await begin(other)];
    const pot = await inPot();
    await db.run(`update earn_draw set ${change} where id = $1 and $2::uuid is not null`, [draw.id, second.id]);
    await refuses(openClaiming(db)({ holderId: mine, id: draw.id, clientSeed: 'mine' }), 'not_found');
    assert.equal(await inPot(), pot);
    await advanceClock(db, 3_600_000);
  });
}

test('a draw that is given to another holder, put in, or called open again gives nothing', async () => {
  const [mine, eve] = [newId(), newId()];
  const draw = await begin(mine);
  await db.run('update earn_draw set holder_id = $2 where id = $1', [draw.id, eve]);
  for (const holderId of [mine, eve]) await refuses(openClaiming(db)({ holderId, id: draw.id, clientSeed: 'x' }), 'not_found');
  await db.run('update earn_draw set holder_id = $2 where id = $1', [draw.id, mine]);
  const copy = newId();
  await db.run(
    `insert into earn_draw (id, holder_id, hour, seed, prizes, max, state, counts, begun_at, ends_at, mac)
     select $2, $3, hour, seed, prizes, max, state, counts, begun_at, ends_at, mac from earn_draw where id = $1`,
    [draw.id, copy, eve],
  );
  await refuses(openClaiming(db)({ holderId: eve, id: copy, clientSeed: 'x' }), 'not_found');
  await openClaiming(db)({ holderId: mine, id: draw.id, clientSeed: 'first' });
  const pot = await inPot();
  await db.run(`update earn_draw set state = 'open', client_seed = null, prize = null where id = $1`, [draw.id]);
  await refuses(openClaiming(db)({ holderId: mine, id: draw.id, clientSeed: 'second' }), 'not_found');
  assert.equal(await inPot(), pot);
});

test('a claimed draw that is written back as it was while open is not paid twice', async () => {
  const mine = newId();
  const draw = await begin(mine);
  const [older] = await db.rows<{ row: object }>('select to_jsonb(d) as row from earn_draw d where id = $1', [draw.id]);
  await openClaiming(db)({ holderId: mine, id: draw.id, clientSeed: 'first' });
  const pot = await inPot();
  await db.run('delete from earn_draw where id = $1', [draw.id]);
  await db.run('insert into earn_draw select r.* from jsonb_populate_record(null::earn_draw, $1) r', [older?.row]);
  await assert.rejects(openClaiming(db)({ holderId: mine, id: draw.id, clientSeed: 'second' }));
  assert.equal(await inPot(), pot);
  await db.run('delete from earn_draw where id = $1', [draw.id]);
});

test('a task whose row is deleted, moved or renamed by SQL is not paid once more', async () => {
  const pay = (holder: AccountHolder) => payTask(db, holder, 'email');
  for (const change of [
    'delete from earn_task where holder_id = $1 and $2::uuid is not null',
    'update earn_task set holder_id = $2 where holder_id = $1',
    `update earn_task set task = 'streak' where holder_id = $1 and $2::uuid is not null`,
    `update earn_task set parts = parts + 1 where holder_id = $1 and $2::uuid is not null`,
  ]) {
    const [ann, eve] = [await world.holder(), await world.holder()];
    await pay(ann);
    const pot = await inPot();
    assert.equal(await db.run(change, [ann.id, eve.id]), 1);
    await pay(ann).catch(() => undefined);
    assert.equal(await inPot(), pot, change);
  }
});

test('an order that was changed or put in by SQL opens no way into the wallet and is no first order', async () => {
  await world.put('earn.wallet_least_usd', '0.01');
  await world.put('earn.tasks', { email: '1', two_factor: '0.10', first_order: '0.50', streak: '0.20' });
  const [ann, eve] = [await world.holder(), await world.holder()];
  await payTask(db, eve, 'email');
  const id = await world.order(ann, 'order.completed', { fee: '0.3' });
  await advanceClock(db, 8 * DAY_MS);
  assert.equal(await earnedBy(db, ann.id, await db.now()), partsOf('0.3'));
  for (const change of [
    `holder_id = '${eve.id}'`,
    'profit = profit * 9',
    'worth = worth * 9',
    `keys = '{}'`,
    `matures_at = matures_at - interval '1 day'`,
    'mac = null',
  ]) {
    const [before] = await db.rows<{ row: object }>('select to_jsonb(o) as row from earn_order o where order_id = $1', [id]);
    await db.run(`update earn_order set ${change} where order_id = $1`, [id]);
    assert.equal(await earnedBy(db, ann.id, await db.now()), 0n, change);
    assert.equal(await earnedBy(db, eve.id, await db.now()), 0n, change);
    await refuses(toWallet(db, eve, '0.1'), 'earn_order_first');
    await refuses(payTask(db, eve, 'first_order'), 'earn_task_open');
    await db.run('delete from earn_order where order_id = $1', [id]);
    await db.run('insert into earn_order select r.* from jsonb_populate_record(null::earn_order, $1) r', [before?.row]);
  }
  await payTask(db, ann, 'first_order');
});
