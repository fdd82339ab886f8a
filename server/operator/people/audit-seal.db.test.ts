import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SealNote } from '../../ledger/index.ts';
import { configureLog, newId } from '../../platform/index.ts';
import { type TestDb, testDb } from '../../platform/testing.ts';
import { proveAudit, sealActions } from './audit-seal.ts';
import { recordAction } from './store.ts';

let world: TestDb;
let logged = '';
let noted: ReturnType<SealNote['read']>;
const note: SealNote = { read: () => noted, write: (seal) => void (noted = seal) };

before(async () => {
  world = await testDb();
  configureLog({ sink: (text) => void (logged += text) });
});
after(async () => {
  configureLog({ sink: (text) => void process.stdout.write(text) });
  await world.drop();
});

/** Writes an action. The database returns its body with another order of keys. */
async function act(subject: string): Promise<string> {
  const id = newId();
  const body = { zebra: 1, amount: '0.10', list: [{ b: null, a: 'x' }], none: undefined };
  await world.db.tx((tx) =>
    recordAction(tx, { id, by: 'ann', action: 'stop', subject, reason: 'because', outcome: 'done', body }),
  );
  return id;
}
/** Seals all actions. Other databases of the server may hold the oldest transaction for a moment. */
async function seal(): Promise<void> {
  const open = 'select from audit where xid >= coalesce((select max(upto) from audit_seal), $1::xid8) limit 1';
  for (let turn = 0; turn < 500 && (await world.db.row(open, ['0'])); turn += 1) {
    await sealActions(world.db, note);
    await sleep(20);
  }
}
/** Runs SQL without triggers, as only the database's owner can. Returns what the proof reports. */
async function past(...statements: string[]): Promise<string[]> {
  await world.owner.tx(async (tx) => {
    await tx.run('set local session_replication_role = replica');
    for (const sql of statements) await tx.run(sql);
  });
  return faults();
}
const faults = async (): Promise<string[]> => (await proveAudit(world.db, noted)).faults.map(({ words }) => words);

test('each action is sealed once, and right ones are not reported, sealed or not', async () => {
  const [first, second] = [await act('a'), await act('b')];
  assert.notEqual(first, second);
  assert.deepEqual(await faults(), []);
  await seal();
  await act('c');
  await seal();
  assert.equal(await sealActions(world.db, note), 0);
  await act('d');
  const proof = await proveAudit(world.db, noted);
  assert.deepEqual([proof.faults, proof.actions, proof.proven.number === noted?.number], [[], 4, true]);
  assert.ok(BigInt(proof.proven.number) >= 2n);
  assert.equal(logged, '');
});

test('reports changed, inserted and deleted actions, sealed or not', async () => {
  // Only the owner can remove the constraint, too.
  const unbound = 'alter table audit drop constraint audit_is_marked';
  await world.owner.run('create table kept as table audit; create table kept_seal as table audit_seal');
  const back = [
    'alter table audit drop constraint if exists audit_is_marked',
    ...['delete from audit', 'insert into audit table kept', 'delete from audit_seal', 'insert into audit_seal table kept_seal'],
    'alter table audit add constraint audit_is_marked check (xid is not null and mac is not null) not valid',
  ];
  const cases: [string, string[], RegExp][] = [
    ['a sealed action', ["update audit set reason = 'another' where subject = 'a'"], /is not what was written/],
    ['an action not sealed yet', ["update audit set by = 'bob' where subject = 'd'"], /is not what was written/],
    ['its body', ["update audit set body = jsonb_set(body, '{amount}', '\"9\"') where subject = 'b'"], /is not what was written/],
    ['its time', ["update audit set at = at + interval '1 second' where subject = 'b'"], /is not what was written/],
    ['a sealed one is gone', ["delete from audit where subject = 'b'"], /the sealed rows were altered/],
    ['all are gone', ['delete from audit'], /the sealed rows were altered/],
    [
      'a mark of another action',
      ["update audit set mac = (select mac from audit where subject = 'b') where subject = 'a'"],
      /not what was written/,
    ],
    [
      'put in behind a seal',
      [
        `insert into audit (id, at, by, action, subject, reason, outcome, body, xid, mac)
       select gen_random_uuid(), at, by, action, subject, reason, outcome, body, xid, mac from audit where subject = 'a'`,
      ],
      /not what was written|the sealed rows were altered/,
    ],
    [
      'moved behind a seal',
      ["update audit set xid = (select xid from audit where subject = 'a') where subject = 'd'"],
      /the sealed rows were altered/,
    ],
    [
      'two have changed places, each behind the seal of the other',
      [
        `update audit set xid = (select xid from audit other where other.subject = case audit.subject when 'a' then 'c' else 'a' end)
       where subject in ('a', 'c')`,
      ],
      /the sealed rows were altered/,
    ],
    ['without a mark', [unbound, "update audit set mac = null where subject = 'd'"], /is not what was written|has no mark/],
    ['out of the chain', [unbound, "update audit set xid = null where subject = 'd'"], /has no mark/],
    [
      'the end of the chain is cut off',
      ['delete from audit_seal where number = (select max(number) from audit_seal)'],
      /the seal \d+ is missing/,
    ],
    ['a seal between is gone', ['delete from audit_seal where number = 1'], /follows seal 0/],
    ['a seal is another', ['update audit_seal set digest = gen_random_uuid() where number = 1'], /the sealed rows were altered/],
  ];
  for (const [words, sql, expected] of cases) {
    const found = await past(...sql);
    assert.ok(
      found.some((one) => expected.test(one)),
      `${words}: ${found.join(', ')}`,
    );
    assert.deepEqual(await past(...back), [], words);
  }
});

test('the database refuses an action without a MAC, and emptying the audit', async () => {
  const columns = 'id, at, by, action, subject, reason, outcome, body';
  const copied = `insert into audit (${columns}) select gen_random_uuid(), ${columns.slice(4)} from audit limit 1`;
  await assert.rejects(world.db.run(copied), /audit_is_marked/);
  for (const sql of ['truncate audit cascade', 'truncate audit_seal', 'delete from audit_seal', "update audit set by = 'bob'"]) {
    await assert.rejects(world.db.run(sql), { code: '42501' }, sql);
    await assert.rejects(world.owner.run(sql), /the audit is never changed/, `${sql}, by the owner`);
  }
  assert.deepEqual(await faults(), []);
});

test('the follower raises an alarm for an action that is not what was written', async () => {
  const id = await act('e');
  await past(`update audit set subject = 'f' where id = '${id}'`);
  await seal();
  assert.match(logged, new RegExp(`${id}.*not what was written`));
});
