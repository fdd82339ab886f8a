import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '@kurs/contract';
import { BATCH_SIZE, MAX_WAITING, COST, checkPassword, hashPassword, isOutgrown, isPassword } from './password.ts';

const small = { memory: 64, passes: 1, lanes: 1 };
const problemOf = (password: string, email = 'ann.kovaleva@example.org'): string | undefined => {
  try {
    checkPassword(password, email);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof Problem);
    return (error.details.errors?.['password'] as { code: string } | undefined)?.code;
  }
};

test('a kept password is argon2id with its parameters, salted, and known again however its letters were composed', async () => {
  assert.ok(COST.memory >= 19_456 && COST.passes >= 2 && COST.lanes >= 1, 'OWASP’s floor');
  const stored = await hashPassword('Пароль-é-12345');
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.notEqual(stored, await hashPassword('Пароль-é-12345'));
  assert.equal(await isPassword('Пароль-é-12345'.normalize('NFD'), stored), true);
  assert.equal(await isPassword('Пароль-e-12345', stored), false);
});

test('the hash is that of RFC 9106’s function', async () => {
  // Test vector of the reference implementation (phc-winner-argon2, src/test.c): argon2id, 2 passes, 2^16 KiB.
  const hash = Buffer.from('09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7', 'hex').toString('base64');
  const stored = `$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$${hash.replaceAll('=', '')}`;
  assert.equal(await isPassword('password', stored), true);
});

test('a password of another cost is known, and outgrown when the cost has grown', async () => {
  const stored = await hashPassword('correct horse', small);
  assert.equal(await isPassword('correct horse', stored), true);
  assert.equal(isOutgrown(stored), true);
  assert.equal(isOutgrown(stored, small), false);
});

test('without a stored password the same work is done, and no password matches', async () => {
  const stored = await hashPassword('correct horse');
  const timed = async (against: string | undefined): Promise<number> => {
    const start = performance.now();
    assert.equal(await isPassword('wrong horse 1', against), false);
    return performance.now() - start;
  };
  // Alternately, so that other load on the machine slows both.
  const times: { known: number; unknown: number }[] = [];
  for (let run = 0; run < 8; run += 1) times.push({ known: await timed(stored), unknown: await timed(undefined) });
  const [known, unknown] = [Math.min(...times.map((one) => one.known)), Math.min(...times.map((one) => one.unknown))];
  assert.ok(unknown > known / 3 && known > unknown / 3, `${known} ms against ${unknown} ms`);
});

test('many passwords at once wait in a bounded queue, and the event loop goes on', async () => {
  let ticks = 0;
  const ticking = setInterval(() => (ticks += 1), 1);
  const all = await Promise.allSettled(Array.from({ length: 80 }, () => hashPassword('x', { ...small, memory: 8_192 })));
  clearInterval(ticking);
  const turnedAway = all.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  assert.equal(turnedAway.length, 80 - (BATCH_SIZE + MAX_WAITING));
  assert.ok(turnedAway.every(({ reason }) => reason instanceof Problem && reason.code === 'unavailable'));
  assert.ok(ticks > 5, `${ticks} ticks`);
  assert.ok(await hashPassword('x', small), 'the line is empty again');
});

test('common passwords and one’s own address are refused, others are not', () => {
  assert.equal(problemOf('Password123'), 'password_common');
  assert.equal(problemOf('1234567890'), 'password_common');
  assert.equal(problemOf('aaaaaaaaaaaa'), 'password_common');
  assert.equal(problemOf('Ann.Kovaleva@example.org'), 'password_is_address');
  assert.equal(problemOf('ann.kovaleva1!'), 'password_is_address');
  assert.equal(problemOf('ann.kovaleva likes rain'), undefined);
  assert.equal(problemOf('correct horse battery'), undefined);
  assert.equal(problemOf('banana bread', 'a@example.org'), undefined);
});
