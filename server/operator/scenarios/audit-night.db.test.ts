// The night's proof reads only the audit's new actions, however long the audit is.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accounts, leg, post, proveEachNight, sealJournals } from '../../ledger/index.ts';
import { type Db, type Statements, type Tx, advanceClock, configureLog, newId } from '../../platform/index.ts';
import { type TestDb, testDb } from '../../platform/testing.ts';
import { sealActions } from '../people/audit-seal.ts';
import { checksOf } from '../checks.ts';
import { recordAction } from '../people/store.ts';
import { OWNERS } from '../owners.testing.ts';

let world: TestDb;
const alarms: string[] = [];
/** Number of actions that the proof has read. */
let read = 0;

before(async () => {
  world = await testDb();
  // Start at noon, so that a day later is the next day, at any time of the test.
  const clock = await world.db.row<{ past: number }>(`select extract(epoch from clock_now())::int % 86400 as past`);
  await advanceClock(world.db, ((129_600 - (clock?.past ?? 0)) % 86_400) * 1_000);
  // The books must not be empty: an empty proof isn't stored.
  const legs = [leg(accounts.custody('USDT_ERC20', 'hot', 'USDT'), accounts.wallet('ann', 'USDT'), 3n)];
  await world.db.tx((tx) => post(tx, [{ id: newId(), kind: 'deposit', cause: newId(), legs }]));
  for (let turn = 0; turn < 500 && (await sealJournals(world.db)) === 0; turn += 1) await sleep(20);
  configureLog({ sink: (text) => alarms.push(...text.split('\n').filter((line) => line.includes('"alarm":true'))) });
});
after(async () => {
  configureLog({ sink: (text) => void process.stdout.write(text) });
  await world.drop();
});

async function act(times: number): Promise<void> {
  const one = { by: 'ann', action: 'stop', subject: 'a', reason: 'because', outcome: 'done', body: {} };
  await world.db.tx(async (tx) => {
    for (let at = 0; at < times; at += 1) await recordAction(tx, { ...one, id: newId() });
  });
  // Other databases of the server may hold the oldest transaction for a moment.
  for (let turn = 0; turn < 500 && (await sealActions(world.db)) === 0; turn += 1) await sleep(20);
}

/** Returns a database that counts the actions read. */
function counting(): Db {
  const counted = (tx: Tx): Tx => {
    const rows: Statements['rows'] = async <Row>(...given: Parameters<Statements['rows']>) => {
      const found = await tx.rows<Row>(...given);
      if (given[0].includes('from audit\n')) read += found.length;
      return found;
    };
    return { ...tx, rows };
  };
  return { ...world.db, tx: (work, options) => world.db.tx((tx) => work(counted(tx)), options) };
}

/** Runs the next night's proof. Returns how many actions it read, and its alarms. */
async function night(): Promise<{ read: number; alarms: string }> {
  await advanceClock(world.db, 86_400_000);
  read = 0;
  await proveEachNight(counting(), { checks: checksOf(OWNERS).filter(({ chain }) => chain !== undefined) });
  return { read, alarms: alarms.splice(0).join('\n') };
}

/** Runs SQL without triggers, as only the database's owner can. */
const past = (sql: string): Promise<void> =>
  world.owner.tx(async (tx) => {
    await tx.run('set local session_replication_role = replica');
    await tx.run(sql);
  });

test('a night reads the actions since the last proof, not all of them', async () => {
  await act(50);
  assert.deepEqual(await night(), { read: 50, alarms: '' });
  await act(3);
  assert.deepEqual(await night(), { read: 3, alarms: '' });
  assert.deepEqual(await night(), { read: 0, alarms: '' });
});

test('reports changes since, and a changed seal from which it continues', async () => {
  await act(2);
  await past(`update audit set reason = 'another' where id = (select id from audit order by xid desc, id desc limit 1)`);
  const accused = await night();
  assert.equal(accused.read, 2, 'an accused proof is no proof to go on from');
  assert.match(accused.alarms, /is not what was written.*the proof of the books found faults/);
  await past(`update audit set reason = 'because' where reason = 'another'`);
  assert.deepEqual(await night(), { read: 2, alarms: '' });
  await past(`create table kept_seal as table audit_seal;
    update audit_seal set digest = gen_random_uuid() where number = (select max(number) from audit_seal)`);
  const replaced = await night();
  assert.match(replaced.alarms, /differs from the proven seal/);
  assert.equal(replaced.read, 55, 'then all of it is proved');
  await past(`delete from audit_seal; insert into audit_seal table kept_seal; drop table kept_seal`);
});

test('the proven part of the audit is trusted only with a right MAC', async () => {
  await act(1);
  await past(
    `update books_proof set chains = jsonb_set(chains, '{audit_seal,upto}', '"18446744073709551615"') where chains <> '{}'`,
  );
  assert.deepEqual(await night(), { read: 56, alarms: '' });
});

test('finds actions without a MAC in the whole audit', async () => {
  await past(`alter table audit drop constraint audit_is_marked;
    update audit set xid = null where id = (select id from audit order by xid, id offset 51 limit 1)`);
  assert.match((await night()).alarms, /has no mark/);
});
