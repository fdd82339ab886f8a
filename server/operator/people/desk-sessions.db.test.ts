// Sessions of the desk's people: begun by a key and an authenticator's code, limited in time, ended with their key.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Context, type Db, type Mode, Unopened, advanceClock } from '../../platform/index.ts';
import { refusal, testDb, testSealer } from '../../platform/testing.ts';
import { codeShown } from '../../auth/testing.ts';
import { deskSessionRoutes, whoActs } from './desk-sessions.ts';
import { addOperator, leave, rotate } from './people.ts';
import { alteredPeople } from './store.ts';

let db: Db;
let drop: () => Promise<void>;
before(async () => {
  ({ db, drop } = await testDb());
});
after(() => drop());

const handlers = (mode: Mode) => deskSessionRoutes({ db, mode, name: 'Kurs', sealer: testSealer });
const live = (): ReturnType<typeof handlers> => handlers('live');
const keyOf = async (name: string): Promise<string> => (await db.tx((tx) => addOperator(tx, name, 'operator'))).key;

/** Returns the context of a bearer, in live mode by default. */
async function as(bearer: string, mode: Mode = 'live'): Promise<Context> {
  const operator = await whoActs(db, bearer, mode);
  assert.ok(operator, 'the bearer opens nothing');
  return { operator, bearer, ip: '203.0.113.7' } as unknown as Context;
}

/** Returns an authenticator's code, `later` steps of 30 seconds from now. */
const shows = (secret: string, later = 0): string => codeShown(bytesOf(secret), later);

function bytesOf(text: string): Buffer {
  const bits = [...text]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Returns a person with an authenticator, whose first code was used. */
async function enrolled(name: string): Promise<{ key: string; secret: string }> {
  const key = await keyOf(name);
  const { secret } = await live().deskFactorBegin({}, await as(key));
  await live().deskFactorEnable({ code: shows(secret, -1) }, await as(key));
  return { key, secret };
}

test('with real money a key alone begins a session and nothing else, and that takes an authenticator', async () => {
  const key = await keyOf('ann');
  assert.deepEqual((await whoActs(db, key, 'live'))?.permissions, ['session.begin']);
  assert.ok((await whoActs(db, key, 'sandbox'))?.permissions.includes('money.move'));
  assert.equal(await refusal(async () => live().deskSignIn({}, await as(key))), 'two_factor_off');
  const { secret, otpauth_url } = await live().deskFactorBegin({}, await as(key));
  assert.match(otpauth_url, /^otpauth:\/\/totp\/Kurs%20desk:ann\?secret=/);
  assert.equal(await refusal(async () => live().deskSignIn({ code: shows(secret) }, await as(key))), 'two_factor_off');
  await live().deskFactorEnable({ code: shows(secret, -1) }, await as(key));
  assert.equal(await refusal(async () => live().deskFactorBegin({}, await as(key))), 'two_factor_on');
  assert.equal(await refusal(async () => live().deskSignIn({}, await as(key))), 'two_factor_required');
  const { token } = await live().deskSignIn({ code: shows(secret) }, await as(key));
  const person = await whoActs(db, token, 'live');
  assert.equal(person?.name, 'ann');
  assert.ok(person?.permissions.includes('money.move'));
  const stored = await db.rows<{ secret: Buffer }>('select secret from operator_factor');
  assert.ok(stored.every((row) => !row.secret.includes(bytesOf(secret))));
  const actions = await db.rows<{ action: string }>(`select action from audit where by = 'ann' order by at, id`);
  assert.deepEqual(actions.map(({ action }) => action).toSorted(), ['second_factor', 'sign_in']);
});

test('a recovery code replaces a code once, and is void after a change of the key', async () => {
  const key = await keyOf('zoe');
  const { secret } = await live().deskFactorBegin({}, await as(key));
  const { recovery_codes: codes } = await live().deskFactorEnable({ code: shows(secret, -1) }, await as(key));
  assert.equal(new Set(codes).size, 10);
  const [first = '', second = ''] = codes;
  const { token } = await live().deskSignIn({ code: first.toLowerCase().replaceAll('-', '') }, await as(key));
  assert.ok((await whoActs(db, token, 'live'))?.permissions.includes('money.move'));
  assert.equal(await refusal(async () => live().deskSignIn({ code: first }, await as(key))), 'two_factor_wrong');
  const other = await enrolled('yan');
  assert.equal(
    await refusal(async () => live().deskSignIn({ code: second }, await as(other.key))),
    'two_factor_wrong',
    'nobody else’s',
  );
  await db.tx((tx) => rotate(tx, 'zoe'));
  assert.deepEqual(await db.rows(`select from operator_recovery_code join operator on id = operator_id where name = 'zoe'`), []);
});

test('an authenticator moved to another person’s row by SQL is refused', async () => {
  const [ann, eve] = [await enrolled('ann2'), await enrolled('eve2')];
  await db.run(
    `update operator_factor set secret = (select secret from operator_factor join operator on id = operator_id where name = 'eve2')
     where operator_id = (select id from operator where name = 'ann2')`,
  );
  await assert.rejects(live().deskSignIn({ code: shows(eve.secret) }, await as(ann.key)), Unopened);
});

test('an authenticator that is deleted or switched off by SQL is not set up anew by the key alone', async () => {
  const { key, secret } = await enrolled('kay');
  const { token } = await live().deskSignIn({ code: shows(secret) }, await as(key));
  const [stored] = await db.rows<{ row: object }>(
    `select to_jsonb(f) as row from operator_factor f join operator on id = operator_id where name = 'kay'`,
  );
  const own = `where operator_id = (select id from operator where name = 'kay')`;
  for (const change of ['delete from operator_factor', 'update operator_factor set enabled_at = null']) {
    await db.run(`${change} ${own}`);
    for (const bearer of [key, token]) assert.equal(await whoActs(db, bearer, 'live'), undefined, change);
    assert.ok((await alteredPeople(db)).includes('kay'), change);
    await db.run(`delete from operator_factor ${own}`);
    await db.run('insert into operator_factor select r.* from jsonb_populate_record(null::operator_factor, $1) r', [stored?.row]);
  }
  assert.ok(await whoActs(db, token, 'live'), 'put back, it is as it was');
  await db.tx((tx) => rotate(tx, 'kay'));
});

test('resetting the count of wrong codes by SQL gains no more tries', async () => {
  const { key, secret } = await enrolled('max');
  for (let at = 0; at < 60; at += 1) {
    assert.notEqual(await refusal(async () => live().deskSignIn({ code: shows(secret, 100 + at) }, await as(key))), undefined);
    await db.run('update operator_factor set tries = 0');
  }
  assert.equal(await refusal(async () => live().deskSignIn({ code: shows(secret, 1) }, await as(key))), 'rate_limited');
});

test('a code is valid once, duplicates don’t count as wrong tries, and five wrong ones lock out the next', async () => {
  const key = await keyOf('bob');
  const { secret } = await live().deskFactorBegin({}, await as(key));
  const { recovery_codes: recovery } = await live().deskFactorEnable({ code: shows(secret, -1) }, await as(key));
  const tried = async (code: string): Promise<string> => {
    const who = await as(key);
    return live()
      .deskSignIn({ code }, who)
      .then(
        () => 'in',
        ({ code: refused }) => refused,
      );
  };
  const code = shows(secret);
  for (const one of [code, recovery[0] as string]) {
    const at = await Promise.all(Array.from({ length: 7 }, () => tried(one)));
    assert.deepEqual(at.toSorted(), ['in', ...Array(6).fill('two_factor_wrong')]);
  }
  for (let tries = 0; tries < 5; tries += 1)
    assert.equal(await refusal(async () => live().deskSignIn({ code: '000000' }, await as(key))), 'two_factor_wrong');
  assert.equal(await refusal(async () => live().deskSignIn({ code: shows(secret, 1) }, await as(key))), 'rate_limited');
});

test('a session is over after twelve hours, when it is ended, and with its key', async () => {
  const { key, secret } = await enrolled('eve');
  const { token } = await live().deskSignIn({ code: shows(secret) }, await as(key));
  assert.equal(await refusal(async () => live().deskSignIn({ code: shows(secret, 1) }, await as(token))), 'unauthorised');
  await live().deskSignOut({}, await as(token));
  assert.equal(await whoActs(db, token, 'live'), undefined);

  const sandboxKey = await keyOf('tom');
  const begin = async (of: string): Promise<string> => (await handlers('sandbox').deskSignIn({}, await as(of, 'sandbox'))).token;
  const late = await begin(sandboxKey);
  await advanceClock(db, 12 * 3_600_000);
  assert.equal(await whoActs(db, late, 'sandbox'), undefined);

  const ofOld = await begin(sandboxKey);
  const anew = (await db.tx((tx) => rotate(tx, 'tom')))?.key ?? '';
  assert.equal(await whoActs(db, ofOld, 'sandbox'), undefined, 'another key ends the sessions of the old one');
  const ofNew = await begin(anew);
  await db.tx((tx) => leave(tx, 'tom'));
  assert.equal(await whoActs(db, ofNew, 'sandbox'), undefined);
  assert.equal(await whoActs(db, anew, 'sandbox'), undefined);
});
