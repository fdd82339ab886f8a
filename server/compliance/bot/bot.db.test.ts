import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { fraction } from '@kurs/money';
import { type Db, advanceClock } from '../../platform/index.ts';
import { testDb } from '../../platform/testing.ts';
import { botChallenge, botLoad, proveBot, workFor } from './bot.ts';
import { solutionOf as solve } from './bot.testing.ts';
import { configureCompliance } from '../configure.ts';
import { complianceRoutes } from '../routes.ts';

let db: Db;
let drop: () => Promise<void>;

before(async () => {
  ({ db, drop } = await testDb());
  configureCompliance({ botKey: 'key', isLoopbackCounted: true, passToken: 'sandbox' });
});
after(() => drop());

const NOTHING = fraction(0n, 1n);
const calculation = randomUUID();
const make = async (options: { calculation?: string } = {}) =>
  botChallenge({ now: await db.now(), held: NOTHING, load: NOTHING, ...options });
const check = async (token: string | undefined, id = calculation) =>
  db.tx(await proveBot(token, { ip: '203.0.113.7', calculation: id }));
const refused = (run: Promise<unknown>, code = 'bot_check_failed') =>
  assert.rejects(run, (error) => error instanceof Problem && error.code === code);

test('a solved challenge passes once', async () => {
  const token = solve(await make({ calculation }));
  await check(token);
  await refused(check(token));
});

test('of two concurrent uses of a solution, one passes', async () => {
  const token = solve(await make());
  const tries = await Promise.allSettled([check(token), check(token), check(token)]);
  assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('a challenge is valid only for its calculation', async () => {
  await refused(check(solve(await make({ calculation })), randomUUID()));
  await check(solve(await make()), randomUUID());
});

test('a challenge expires by the product’s clock', async () => {
  const token = solve(await make());
  await advanceClock(db, 16 * 60_000);
  await refused(check(token));
});

test('a wrong, changed or foreign solution does not pass', async () => {
  const challenge = await make();
  await refused(check(undefined), 'bot_check_required');
  await refused(check(''), 'bot_check_required');
  await refused(check('nonsense'));
  await refused(check(Buffer.from('null').toString('base64')));
  await refused(check(solve(challenge, { number: 0 })));
  await refused(check(solve(challenge, { signature: '0'.repeat(64) })));
  await refused(check(solve(challenge, { salt: challenge.salt.replace('expires', 'expired') })));
  await refused(check(solve(challenge, { algorithm: 'SHA-1' })));
  configureCompliance({ botKey: 'another', isLoopbackCounted: true });
  await refused(check(solve(challenge)));
  configureCompliance({ botKey: 'key', isLoopbackCounted: true, passToken: 'sandbox' });
  await check(solve(challenge));
});

test('the pass token passes where one is configured, and nowhere else', async () => {
  await check('sandbox');
  await check('sandbox');
  configureCompliance({ botKey: 'key', isLoopbackCounted: true });
  await refused(check('sandbox'));
});

test('the work grows with the share of the reserve that is held', () => {
  assert.equal(workFor(NOTHING, 30_000, 600_000), 30_000);
  assert.equal(workFor(fraction(1n, 2n), 30_000, 600_000), 315_000);
  assert.equal(workFor(fraction(1n, 1n), 30_000, 600_000), 600_000);
  assert.equal(workFor(fraction(3n, 1n), 30_000, 600_000), 600_000);
});

test('the work grows with the number of recently solved challenges, and falls when these expire', async () => {
  await db.run('delete from bot_use');
  const now = await db.now();
  const workNow = async (): Promise<number> =>
    (await botChallenge({ now, held: NOTHING, load: await botLoad(db, now) })).maxnumber;
  assert.equal(await workNow(), 30_000);
  const wereSolved = (from: number, to: number) =>
    db.run(
      `insert into bot_use (challenge, expires_at) select 'load ' || n, $3::timestamptz from generate_series($1::int, $2::int) as n`,
      [from, to, new Date(now.getTime() + 60_000)],
    );
  await wereSolved(1, 500);
  assert.equal(await workNow(), 315_000);
  await wereSolved(501, 2_000);
  assert.equal(await workNow(), 600_000);
  // The shares of reserve and load are not added: the larger one counts.
  assert.equal((await botChallenge({ now, held: fraction(1n, 10n), load: fraction(1n, 2n) })).maxnumber, 315_000);
  assert.equal((await botChallenge({ now, held: fraction(1n, 2n), load: fraction(1n, 10n) })).maxnumber, 315_000);
  assert.deepEqual(await botLoad(db, new Date(now.getTime() + 61_000)), fraction(0n, 1_000n));
});

test('a new challenge requires the work for the held share or for the load, whichever is larger', async () => {
  await db.run('delete from bot_use');
  const workAt = async (held: bigint): Promise<number> =>
    (await complianceRoutes(async () => fraction(held, 10n)).botChallenge({}, { db } as never)).maxnumber;
  assert.equal(await workAt(0n), 30_000);
  assert.equal(await workAt(5n), 315_000);
  assert.equal(await workAt(10n), 600_000);
  await db.run(
    `insert into bot_use (challenge, expires_at) select 'busy ' || n, clock_now() + interval '1 minute' from generate_series(1, 500) as n`,
  );
  assert.equal(await workAt(1n), 315_000, 'the load counts where it is more');
  assert.equal(await workAt(10n), 600_000);
});

test('under pressure of guesses, refuses a solution of too little work and states the required work', async () => {
  const pressed = (token: string | undefined, share: bigint) =>
    proveBot(token, { ip: '203.0.113.7', pressure: fraction(share, 100n) });
  const asking = (work: number) => (error: unknown) =>
    error instanceof Problem && error.code === 'bot_check_required' && error.details.work === work;
  const usual = solve(await make());
  await pressed(usual, 0n);
  await assert.rejects(pressed(undefined, 2n), asking(69_400));
  await assert.rejects(pressed(usual, 2n), asking(69_400));
  const { maxnumber, ...more } = await botChallenge({ now: await db.now(), held: NOTHING, load: NOTHING, work: 69_400 });
  assert.equal(maxnumber, 69_400);
  // More guesses raised the required work while the challenge was being solved; half of it is still enough.
  const token = solve({ maxnumber, ...more });
  await pressed(token, 5n);
  await assert.rejects(pressed(token, 8n), asking(187_600));
  assert.equal(
    (await botChallenge({ now: await db.now(), held: NOTHING, load: NOTHING, work: 20_000_000 })).maxnumber,
    2_000_000,
  );
});
