// The desk's people, and decisions about customers: the number of people for each.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { writeHolderMacs } from '../../auth/testing.ts';
import type { Showing } from '../../exchange/index.ts';
import { levelOf, openBlocks, setLevel } from '../../compliance/index.ts';
import { type Context, type Db, newId } from '../../platform/index.ts';
import { refusal, testDb, testSealer } from '../../platform/testing.ts';
import { alteredBlocks } from '../altered-blocks.ts';
import { authenticate, addOperator, addOperatorAtConsole } from './people.ts';
import type { Role } from './roles.ts';
import { operatorRoutes } from '../routes.ts';
import { alteredPeople, auditPage } from './store.ts';
import { OWNERS } from '../owners.testing.ts';

let db: Db;
let drop: () => Promise<void>;
let handlers: ReturnType<typeof operatorRoutes>;
const keys: Record<string, string> = {};
before(async () => {
  ({ db, drop } = await testDb());
  handlers = operatorRoutes({ db } as Showing, {
    isSandbox: true,
    owners: OWNERS,
    name: 'Kurs',
    sealer: testSealer,
    hasAlarmSince: async () => false,
  });
  for (const [name, role] of [
    ['ann', 'operator'],
    ['bob', 'operator'],
    ['kim', 'compliance'],
    ['lou', 'compliance'],
  ] as [string, Role][])
    keys[name] = (await db.tx((tx) => addOperator(tx, name, role))).key;
});
after(() => drop());

/** Returns the context of a call with a person's present key. */
async function as(name: string): Promise<Context> {
  const person = await authenticate(db, keys[name] ?? '');
  assert.ok(person, `${name} opens nothing`);
  return { operator: person } as unknown as Context;
}
type DeskCall =
  | 'operatorHire'
  | 'operatorRotate'
  | 'operatorRevoke'
  | 'operatorLevel'
  | 'operatorBlock'
  | 'operatorUnblock'
  | 'operatorConsent';
type Done = { status: string; request?: string; level?: number };
const call = async (name: string, what: DeskCall, input: object): Promise<Done> =>
  (await handlers[what]({ reason: 'for a test', ...input } as never, await as(name))) as Done;
const status = (name: string, what: DeskCall, input: object): Promise<unknown> => refusal(() => call(name, what, input));

/** Makes a key for a person. Returns its fingerprint. */
function newKey(name: string): string {
  keys[name] = `kurs_op_${randomBytes(32).toString('base64url')}`;
  return createHash('sha256').update(keys[name]).digest('hex');
}

test('two of a role make somebody one of them, by the fingerprint of their own key; nobody else ever has it', async () => {
  const fingerprint = newKey('eve');
  const eve = { name: 'eve', role: 'operator', fingerprint };
  assert.equal((await call('ann', 'operatorHire', eve)).status, 'awaiting_second');
  assert.equal(await status('ann', 'operatorHire', eve), 'same_person');
  assert.equal(await status('bob', 'operatorHire', { ...eve, fingerprint: newKey('mallory') }), 'request_differs');
  assert.equal(await status('kim', 'operatorHire', eve), 'forbidden', 'compliance makes no operator, nor the reverse');
  assert.equal(await authenticate(db, keys['eve'] ?? ''), undefined);
  assert.equal((await call('bob', 'operatorHire', eve)).status, 'done');
  assert.equal((await authenticate(db, keys['eve'] ?? ''))?.role, 'operator');
  assert.equal(
    await status('ann', 'operatorHire', { ...eve, fingerprint: newKey('eve2') }),
    'name_taken',
    'a name is one person’s',
  );
  assert.equal(await status('ann', 'operatorHire', { ...eve, name: 'eva' }), 'fingerprint_taken', 'and so is a key');
});

test('one person revokes a key at once; its holder’s requests are void, and the name stays taken', async () => {
  const request = await call('eve', 'operatorHire', { name: 'her-friend', role: 'operator', fingerprint: newKey('her-friend') });
  assert.equal(request.status, 'awaiting_second');
  assert.equal((await call('kim', 'operatorRevoke', { name: 'eve' })).status, 'done');
  assert.equal(await authenticate(db, keys['eve'] ?? ''), undefined);
  assert.equal(await status('ann', 'operatorConsent', { id: request.request }), 'request_over');
  assert.equal(await authenticate(db, keys['her-friend'] ?? ''), undefined);
  assert.equal(await status('ann', 'operatorRevoke', { name: 'eve' }), 'person_unknown');
  assert.equal(
    await status('ann', 'operatorHire', { name: 'eve', role: 'operator', fingerprint: newKey('again') }),
    'name_taken',
  );
  const people = await handlers.operatorPeople({}, await as('ann'));
  const eve = people.find(({ name }) => name === 'eve');
  assert.deepEqual([eve?.active, typeof eve?.revoked, typeof eve?.last_act], [false, 'string', 'string']);
});

test('two people replace a key; the old one and its requests are void', async () => {
  const old = keys['bob'] ?? '';
  const request = await call('bob', 'operatorRotate', { name: 'ann', fingerprint: newKey('ann-stolen') });
  const rotation = { name: 'bob', fingerprint: newKey('bob') };
  assert.equal((await call('ann', 'operatorRotate', rotation)).status, 'awaiting_second');
  keys['bob2'] = keys['bob'] ?? '';
  keys['bob'] = old;
  assert.equal((await call('bob', 'operatorRotate', rotation)).status, 'done', 'he may be one of the two');
  assert.equal(await authenticate(db, old), undefined);
  assert.equal((await authenticate(db, keys['bob2']))?.name, 'bob');
  keys['bob'] = keys['bob2'];
  assert.equal(await status('ann', 'operatorConsent', { id: request.request }), 'request_over');
});

test('a consent applies to the present request only', async () => {
  const { request } = await call('ann', 'operatorRotate', { name: 'bob', fingerprint: newKey('one') });
  assert.equal(await status('ann', 'operatorConsent', { id: request }), 'same_person');
  assert.equal(await status('kim', 'operatorConsent', { id: request }), 'forbidden');
  // Its author wants something else, so the first request is void.
  const { request: second } = await call('ann', 'operatorRotate', { name: 'bob', fingerprint: newKey('bob-next') });
  assert.equal(await status('bob', 'operatorConsent', { id: request }), 'request_over');
  assert.equal((await call('bob', 'operatorConsent', { id: second })).status, 'done');
  keys['bob'] = keys['bob-next'] ?? '';
  assert.equal(await status('bob', 'operatorConsent', { id: second }), 'request_over', 'once');
  const { rows } = await auditPage(db, { subject: 'bob', page: 1, per_page: 10 });
  assert.deepEqual(
    rows.slice(0, 1).map(({ action, by, outcome }) => [action, by, outcome]),
    [['rotate', 'bob', 'done']],
  );
});

/** Opens an account with a verified address. */
async function account(email: string): Promise<string> {
  const id = newId();
  await db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at)
     values ($1, $2, $2, clock_now(), 'en', clock_now())`,
    [id, email],
  );
  await writeHolderMacs(db);
  return id;
}

test('a consent to an outdated request neither carries it out nor makes a new one', async () => {
  const dan = await account('dan+1@example.org');
  const raise = { email: 'Dan+1@example.org', level: 3, evidence: 'his passport' };
  const { request } = await call('kim', 'operatorLevel', raise);
  await db.tx((tx) => setLevel(tx, dan, 2, 'test'));
  assert.equal(await status('lou', 'operatorConsent', { id: request }), 'request_over');
  assert.equal(await levelOf(db, dan), 2);
});

test('a request for a level is bound to the account: if its address moves to another one, the consent is refused', async () => {
  const fay = await account('fay@example.org');
  const raise = { email: 'fay@example.org', level: 3, evidence: 'her passport' };
  const { request } = await call('kim', 'operatorLevel', raise);
  await db.run(`update account_holder set email = 'new@example.org', email_key = 'new@example.org' where id = $1`, [fay]);
  await writeHolderMacs(db);
  assert.equal(await status('lou', 'operatorConsent', { id: request }), 'email_no_account');
  const mallory = await account('fay@example.org');
  assert.equal(await status('lou', 'operatorConsent', { id: request }), 'request_over');
  assert.deepEqual([await levelOf(db, fay), await levelOf(db, mallory)], [1, 1]);
});

test('refuses a level for an address without an account', async () => {
  const raise = { email: 'nobody@example.org', level: 2, evidence: 'a passport' };
  assert.equal(await status('kim', 'operatorLevel', raise), 'email_no_account');
  assert.equal(await status('kim', 'operatorLevel', { ...raise, level: 0 }), 'email_no_account');
});

test('a higher level takes two compliance officers and evidence, which is stored; a lower one takes one', async () => {
  const ann = await account('ann@example.org');
  const raise = { email: 'ann@example.org', level: 2 };
  assert.equal(await status('kim', 'operatorLevel', raise), 'required');
  assert.equal(await status('ann', 'operatorLevel', { ...raise, evidence: 'passport' }), 'forbidden');
  const request = await call('kim', 'operatorLevel', { ...raise, evidence: 'passport' });
  assert.deepEqual([request.status, request.level], ['awaiting_second', 1]);
  assert.equal(await levelOf(db, ann), 1);
  assert.equal(await status('lou', 'operatorLevel', { ...raise, level: 3, evidence: 'passport' }), 'request_differs');
  const confirmed = await call('lou', 'operatorLevel', { ...raise, email: 'Ann@example.org', evidence: 'passport' });
  assert.deepEqual(confirmed, { status: 'done', level: 2 });
  const { rows } = await auditPage(db, { subject: 'ann@example.org', page: 1, per_page: 9 });
  assert.equal((rows[0]?.body as { evidence?: string } | undefined)?.evidence, 'passport');
  assert.deepEqual(await call('kim', 'operatorLevel', { ...raise, level: 1 }), { status: 'done', level: 1 });
});

test('one compliance officer blocks at once, two lift the block, and it can be repeated', async () => {
  const ivy = { who: 'Ivy@example.org', evidence: 'a letter' };
  assert.equal(await status('ann', 'operatorBlock', ivy), 'forbidden');
  assert.equal((await call('kim', 'operatorBlock', ivy)).status, 'done');
  const [block] = await openBlocks(db, 'ivy@example.org');
  assert.deepEqual([block?.keys, block?.by, block?.evidence], [['email:ivy@example.org'], 'kim', 'a letter']);
  assert.equal((await call('kim', 'operatorUnblock', ivy)).status, 'awaiting_second');
  assert.equal(await status('kim', 'operatorUnblock', ivy), 'same_person');
  assert.equal((await openBlocks(db)).length, 1);
  assert.equal((await call('lou', 'operatorUnblock', ivy)).status, 'done');
  assert.equal((await openBlocks(db)).length, 0);
  assert.equal(await status('lou', 'operatorUnblock', ivy), 'not_found');
  assert.equal((await call('kim', 'operatorBlock', { who: 'Ivan@Пример.РФ', evidence: 'a letter' })).status, 'done');
  assert.deepEqual(
    (await openBlocks(db)).flatMap(({ keys }) => keys),
    ['email:ivan@xn--e1afmkfd.xn--p1ai'],
  );
  const ivan = { ...ivy, who: 'ivan@xn--e1afmkfd.xn--p1ai' };
  assert.equal((await call('kim', 'operatorUnblock', ivan)).status, 'awaiting_second');
  assert.equal((await call('lou', 'operatorUnblock', ivan)).status, 'done');
  for (const who of ['ivy', 'net:nowhere', 'address:nochain:x', 'typed:x', 'holder:00000000-0000-7000-8000-000000000000'])
    assert.equal(await status('lou', 'operatorBlock', { ...ivy, who }), 'wrong_value', who);
});

test('a block of a device or a network ends within a year', async () => {
  const soon = new Date((await db.now()).getTime() + 3_600_000).toISOString();
  for (const who of ['device:abc', 'net:192.0.2.7']) {
    const letter = { who, evidence: 'a letter' };
    for (const until of [undefined, '2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z'])
      assert.equal(await status('lou', 'operatorBlock', { ...letter, until }), 'end_needed', `${who} ${until}`);
    assert.equal((await call('lou', 'operatorBlock', { ...letter, until: soon })).status, 'done');
  }
  const keysNow = async () => (await openBlocks(db)).flatMap(({ keys: found }) => found).sort();
  assert.deepEqual(await keysNow(), ['device:abc', 'net:192.0.2.0/24']);
  assert.deepEqual(await alteredBlocks(db), []);
  await db.run(`update block set until = clock_now() where who = 'device:abc'`);
  assert.deepEqual(await alteredBlocks(db), ['device:abc'], 'an end that nobody of the desk has set');
  assert.deepEqual(await keysNow(), ['net:192.0.2.0/24']);
  await db.run(`update block set until = $1 where who = 'device:abc'`, [soon]);
});

test('reports a block that was deleted, changed or inserted outside the desk', async () => {
  assert.deepEqual(await alteredBlocks(db), []);
  await call('kim', 'operatorBlock', { who: 'jon@example.org', evidence: 'a letter' });
  assert.deepEqual(await alteredBlocks(db), []);
  await db.run(`update block_key set key = 'email:none@example.org' where key = 'email:jon@example.org'`);
  assert.deepEqual(await alteredBlocks(db), ['jon@example.org']);
  await db.run(`update block_key set key = 'email:jon@example.org' where key = 'email:none@example.org'`);
  await db.run(`update block set lifted_by = 'nobody', lifted_at = clock_now() where who = 'jon@example.org'`);
  assert.deepEqual(await alteredBlocks(db), ['jon@example.org']);
  await db.run(`update block set lifted_by = null, lifted_at = null where who = 'jon@example.org'`);
  assert.deepEqual(await alteredBlocks(db), []);
});

test('the audit records hiring from the machine’s own console, with the role', async () => {
  const made = await db.tx((tx) => addOperatorAtConsole(tx, 'zoe', 'compliance'));
  assert.equal((await authenticate(db, made?.key ?? ''))?.role, 'compliance');
  const actions = await db.rows(`select by, action, body from audit where subject = 'zoe'`);
  assert.deepEqual(actions, [
    {
      by: 'console',
      action: 'hire',
      body: {
        role: 'compliance',
        fingerprint: createHash('sha256')
          .update(made?.key ?? '')
          .digest('hex'),
      },
    },
  ]);
  assert.equal(await db.tx((tx) => addOperatorAtConsole(tx, 'zoe', 'operator')), undefined, 'a name is one person’s');
});

test('reports a person of the desk who was inserted, changed or reactivated by SQL', async () => {
  assert.deepEqual(await alteredPeople(db), []);
  const changes = [
    [`update operator set key_hash = 'thief' where name = 'zoe'`, 'zoe'],
    [`update operator set role = 'operator' where name = 'zoe'`, 'zoe'],
    [
      `insert into operator (id, name, role, key_hash, created_at, key_since) values (gen_random_uuid(), 'thief', 'operator', 'x', clock_now(), clock_now())`,
      'thief',
    ],
    [`update operator set active = true where name = (select max(name) from operator where not active)`, ''],
  ] as const;
  for (const [sql, name] of changes) {
    const changed = db.tx(async (tx) => {
      await tx.run(sql);
      const accused = await alteredPeople(tx);
      assert.equal(accused.length, 1, sql);
      if (name !== '') assert.deepEqual(accused, [name]);
      throw new Error('put back');
    });
    await assert.rejects(changed, /put back/);
  }
});
