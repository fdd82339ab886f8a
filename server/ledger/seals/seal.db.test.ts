import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { advanceClock, configureLog, configureMacs, newId } from '../../platform/index.ts';
import { type TestDb, testDb, testMacKeys } from '../../platform/testing.ts';
import { accounts } from '../chart/chart.ts';
import { type Journal, type Leg, leg } from '../chart/journal.ts';
import { proveEachNight } from '../proof/night.ts';
import { post } from '../post/post.ts';
import { type Seal, type SealNote, newestSeal } from './chain.ts';
import { JOURNALS, checkNote, findStrangers, sealJournals } from './seal.ts';
import { verify } from '../proof/verify.ts';

const U = 'USDT';
const hot = accounts.custody('USDT_ERC20', 'hot', U);
const wallet = (name: string) => accounts.wallet(name, U);

let world: TestDb;
const alarms: string[] = [];
let noted: Pick<Seal, 'number' | 'digest'> | undefined;
const note: SealNote = { read: () => noted, write: (seal) => void (noted = seal) };

before(async () => {
  world = await testDb();
  configureLog({
    sink: (text) => alarms.push(...text.split('\n').filter((line) => line.includes('"alarm":true'))),
  });
});
afterEach(() => void alarms.splice(0));
after(async () => {
  configureLog({ sink: (text) => void process.stdout.write(text) });
  await world.drop();
});

const enter = async (...legs: Leg[]): Promise<string> => {
  const id = newId();
  await world.db.tx((tx) => post(tx, [{ id, kind: 'deposit', cause: newId(), legs, prices: { [U]: '1.050' } }]));
  return id;
};
/**
 * Maximum number of turns of 20 ms to wait: on a busy machine, other databases of the server may hold the oldest transaction for
 * seconds.
 */
const MAX_TURNS = 1_500;
/** Waits until all journals may be sealed. */
async function untilComplete(): Promise<void> {
  const isComplete = `select pg_snapshot_xmin(pg_current_snapshot()) > max(xid) as complete from journal_macs`;
  for (let turn = 0; turn < MAX_TURNS; turn += 1, await sleep(20))
    if ((await world.db.row<{ complete: boolean }>(isComplete))?.complete) return;
}
async function seal(): Promise<number> {
  let sealed = 0;
  for (let turn = 0; turn < MAX_TURNS && (await left()) > 0; turn += 1) {
    sealed += await sealJournals(world.db, note);
    await sleep(20);
  }
  return sealed;
}
const left = async (): Promise<number> => {
  const { upto } = await newestSeal(world.db, JOURNALS);
  const row = await world.db.row<{ n: number }>('select count(*)::int as n from journal_mac where xid >= $1::xid8', [upto]);
  return row?.n ?? 0;
};
const past = (...statements: string[]): Promise<void> =>
  world.owner.tx(async (tx) => {
    await tx.run('set local session_replication_role = replica');
    for (const sql of statements) await tx.run(sql);
  });
const words = async (): Promise<string[]> => (await verify(world.db, { note })).faults.map((fault) => fault.words);

test('seals each journal once, in the order of commits, and raises no alarm for correct ones', async () => {
  for (let at = 0; at < 5; at += 1) await enter(leg(hot, wallet('a'), 7n), leg(wallet('a'), accounts.income('fee', U), 1n));
  assert.equal(await seal(), 5);
  assert.equal(await sealJournals(world.db, note), 0);
  assert.equal(noted?.number, (await newestSeal(world.db, JOURNALS)).number);
  assert.deepEqual(alarms, []);
  assert.deepEqual(await words(), []);
});

test('proves seals made under an older key after a newer one is added, and goes on sealing', async () => {
  try {
    configureMacs(new Map([...testMacKeys, [2, Buffer.alloc(32, 3)]]));
    assert.deepEqual(await words(), []);
    await enter(leg(hot, wallet('rotated'), 1n));
    assert.equal(await seal(), 1);
    assert.deepEqual(await words(), []);
    configureMacs(new Map([[2, Buffer.alloc(32, 3)]]));
    assert.ok((await words()).includes('the sealed rows were altered'), 'the older key is gone');
  } finally {
    configureMacs(new Map([...testMacKeys, [2, Buffer.alloc(32, 3)]]));
  }
  assert.deepEqual(alarms, []);
});

test('writes numbers in MACs as PostgreSQL prints them', async () => {
  const prices = ['007.50', '0.500', '00', '12', '0.000000000000000001', '99999999999999999999.999999999999999999'];
  // Some of these names give an id with leading zeros.
  const journals = Array.from({ length: 60 }, (_, at): Journal => ({
    ...{ id: newId(), kind: 'deposit', cause: newId(), legs: [leg(hot, wallet(`n${at}`), 10n ** BigInt(at % 37))] },
    ...(at % 7 < 6 && { prices: { [U]: prices[at % 7] as string } }),
  }));
  await world.db.tx((tx) => post(tx, journals));
  assert.equal(await seal(), 60);
  assert.deepEqual(alarms, []);
});

test('seals whole transactions, and leaves the rest of many journals to the next seal', async () => {
  const before = await newestSeal(world.db, JOURNALS);
  const legs = [leg(hot, wallet('m'), 2n)];
  const many = Array.from({ length: 4_000 }, (): Journal => ({ id: newId(), kind: 'deposit', cause: newId(), legs }));
  await world.db.tx((tx) => post(tx, many));
  const { xid } = (await world.db.row<{ xid: string }>('select max(xid)::text as xid from journal_macs')) ?? assert.fail();
  // Adds copies of the journals; one transaction gets two.
  for (const times of [1, 2, 1])
    await past(
      `insert into journal_macs select pg_current_xact_id(), pack from journal_macs, generate_series(1, ${times}) where xid = '${xid}'`,
    );
  await untilComplete();
  assert.equal(await seal(), 20_000);
  const seals = await world.db.rows('select journals::int, wrong::int from journal_seal where number > $1 order by number', [
    before.number,
  ]);
  assert.deepEqual(seals, [
    { journals: 16_000, wrong: 0 },
    { journals: 4_000, wrong: 0 },
  ]);
  assert.deepEqual([...new Set(await words())], ['has 5 MACs']);
  // The query must find strangers among as many journals without a look-up for each, whichever plan PostgreSQL chooses.
  await findStrangers(world.db);
  let request = '';
  await findStrangers({ ...world.db, rows: async (sql) => ((request = sql), []) });
  const plan = await world.db.rows<{ 'QUERY PLAN': string }>(`explain ${request}`);
  assert.doesNotMatch(plan.map((line) => line['QUERY PLAN']).join('\n'), /Anti Join|SubPlan/);
  assert.deepEqual(alarms, []);
  await past(`delete from journal_macs where xid > '${xid}'`);
});

test('seals neither a running transaction nor any after it', async () => {
  const id = newId();
  await world.db.tx(async (tx) => {
    await post(tx, [{ id, kind: 'deposit', cause: newId(), legs: [leg(hot, wallet('slow'), 1n)] }]);
    const later = await enterElsewhere();
    await sealJournals(world.db, note);
    assert.ok((await left()) >= 1, `${later} waits for ${id}`);
  });
  assert.equal(await seal(), 2);
});
const enterElsewhere = (): Promise<string> =>
  enter(leg(accounts.custody('BTC', 'hot', 'BTC'), accounts.wallet('elsewhere', 'BTC'), 1n));

test('raises an alarm within seconds for a journal that was changed, deleted or not posted by us', async () => {
  const [changed, gone] = [await enter(leg(hot, wallet('b'), 9n)), await enter(leg(hot, wallet('c'), 9n))];
  await past(`update posting set price = price * 100 where journal = '${changed}'`);
  await past(`delete from posting where journal = '${gone}'`);
  await seal();
  assert.ok(alarms.some((line) => line.includes(changed)) && alarms.some((line) => line.includes(gone)), alarms.join('\n'));
  alarms.splice(0);
  const forged = newId();
  await past(`insert into posting select at, from_id, from_seq + 1000, to_id, to_seq + 1000, leg, kind, '${forged}', cause, parts, from_balance,
    to_balance, price from posting where journal = '${changed}'`);
  await findStrangers(world.db);
  await findStrangers(world.db);
  assert.deepEqual(
    alarms.map((line) => line.includes(forged) && line.includes('it has no MAC')),
    [true],
  );
  const said = await words();
  for (const one of [/was altered after it was posted/, /was posted and then deleted/, /has no MAC/])
    assert.ok(
      said.some((each) => one.test(each)),
      `${one}: ${said.join('\n')}`,
    );
  await past(`delete from posting where journal in ('${forged}', '${changed}')`);
  await past(`delete from journal_macs where xid in (select xid from journal_mac where journal in ('${changed}', '${gone}'))`);
});

test('notices that the end of the chain was cut off, by the note outside the database', async () => {
  assert.equal(await checkNote(world.db, note), true);
  const { number } = await newestSeal(world.db, JOURNALS);
  await past(`create table kept as table journal_seal; delete from journal_seal where number = ${number}`);
  assert.equal(await checkNote(world.db, note), false);
  assert.match(alarms.join(), /the seal \d+ is missing/);
  assert.ok((await words()).some((one) => /is missing/.test(one)));
  await past(`insert into journal_seal select * from kept where number = ${number}; drop table kept`);
  assert.equal(await checkNote(world.db, note), true);
});

test('a seal made while the books are being proved is no fault', async () => {
  const whileProving: typeof world.db = {
    ...world.db,
    tx: (work, options) =>
      world.db.tx(async (tx) => {
        await tx.row('select from journal_seal limit 1');
        await enter(leg(hot, wallet('later'), 3n));
        // The proof's own transaction is running, so only what was posted before it is complete. This adds a seal as another
        // process would.
        await world.db.run(
          `insert into journal_seal (number, upto, journals, wrong, digest, at)
           select number + 1, upto, 0, 0, digest, clock_now() from journal_seal order by number desc limit 1`,
        );
        note.write(await newestSeal(world.db, JOURNALS));
        return work(tx);
      }, options),
  };
  const before = note.read();
  const { faults } = await verify(whileProving, { note });
  assert.ok(!faults.some(({ words: said }) => /the seal \d+ is missing/.test(said)), JSON.stringify(faults));
  await past('delete from journal_seal where number = (select max(number) from journal_seal)');
  noted = before;
  await seal();
});

test('proves the books once a night from the last proven seal on; raises an alarm for faults and for a proof that never ended', async () => {
  const fresh = await testDb();
  // Sets the clock to noon: an hour later is the same day, whenever the test runs.
  const clock = await fresh.db.row<{ past: number }>(`select extract(epoch from clock_now())::int % 86400 as past`);
  await advanceClock(fresh.db, ((129_600 - (clock?.past ?? 0)) % 86_400) * 1_000);
  const night = () => proveEachNight(fresh.db, {});
  const proofs = () =>
    fresh.db.rows<{ seal: string; is_whole: boolean; faults: number }>(
      'select seal, is_whole, faults from books_proof order by at',
    );
  const put = async (name: string): Promise<void> => {
    await fresh.db.tx((tx) => post(tx, [{ id: newId(), kind: 'deposit', cause: newId(), legs: [leg(hot, wallet(name), 3n)] }]));
    for (let turn = 0; turn < 100 && (await sealJournals(fresh.db)) === 0; turn += 1) await sleep(20);
  };
  await put('n');
  await Promise.all([night(), night()]);
  assert.deepEqual(await proofs(), [{ seal: '1', is_whole: true, faults: 0 }]);
  await put('n');
  await advanceClock(fresh.db, 86_400_000);
  await night();
  await night();
  assert.deepEqual((await proofs())[1], { seal: '2', is_whole: false, faults: 0 });
  assert.deepEqual(alarms, []);
  await put('m');
  await fresh.db.run(`update account set balance = balance + 1 where name = 'wallet:m:USDT'`);
  await advanceClock(fresh.db, 86_400_000);
  await night();
  assert.match(alarms.splice(0).join(), /the proof of the books found faults/);
  // A proof that began and never ended starts again after an hour, with an alarm.
  await fresh.db.run(`update account set balance = balance - 1 where name = 'wallet:m:USDT'`);
  await fresh.owner.run('delete from books_proof where faults > 0');
  await night();
  assert.deepEqual(alarms, []);
  await advanceClock(fresh.db, 3_700_000);
  await night();
  assert.match(alarms.splice(0).join(), /failed or did not end/);
  assert.deepEqual((await proofs()).at(-1), { seal: '3', is_whole: false, faults: 0 });
  await fresh.drop();
});
