import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { parse } from '@kurs/money';
import { writeHolderMacs } from '../../auth/testing.ts';
import { type SettingsWatch, type Db, advanceClock, putSetting, watchSettings } from '../../platform/index.ts';
import { testDb } from '../../platform/testing.ts';
import { configureCompliance } from '../configure.ts';
import { setLevel } from '../customers/level.ts';
import { forgetUses } from './limit-store.ts';
import { reserveLimits } from './limits.ts';
import { type PayerHistory, maxReversible, payerLevel, requirePayerLevel, clearingMs, takesReversible } from './reversible.ts';
import type { Subject } from '../customers/subject.ts';
import { settle } from './settle.ts';

let db: Db;
let drop: () => Promise<void>;
let settings: SettingsWatch;

before(async () => {
  ({ db, drop } = await testDb());
  configureCompliance({ botKey: 'key', isLoopbackCounted: true });
  settings = await watchSettings(db);
  assert.equal(takesReversible(), false, 'until somebody confirms how much');
  await db.tx((tx) => putSetting(tx, 'compliance.exposure_usd', '20000', 'test'));
  await settings.refresh();
  assert.equal(takesReversible(), true);
});
after(async () => {
  await settings.stop();
  await drop();
});

const NEW: PayerHistory = { since: undefined, finished: 0 };
let people = 0;
async function person(level: 2 | 3 = 2): Promise<Subject> {
  people += 1;
  const [id, email] = [randomUUID(), `payer${people}@example.org`];
  await db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at)
     values ($1, $2, $2, clock_now(), 'en', clock_now())`,
    [id, email],
  );
  await writeHolderMacs(db);
  await db.tx((tx) => setLevel(tx, id, level, 'test'));
  return { email, accounts: [`PAYPAL_USD:${email}`], holder: { id, mailbox: email } };
}
/** Counts an order. Returns its id, or the code of the refusal. */
async function order(subject: Subject, usd: string, payer: PayerHistory = NEW): Promise<string> {
  const id = randomUUID();
  try {
    await db.tx((tx) => reserveLimits(tx, subject, parse('USD', usd), { kind: 'order', id }, { payer }));
    return id;
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    const field = error.details.errors?.['amount'] as { code: string; params?: Record<string, string> } | undefined;
    return field ? `${field.code} ${field.params?.['left'] ?? ''}` : `${error.code} ${error.details.params?.['reason'] ?? ''}`;
  }
}
const counted = (answer: string): boolean => /^[0-9a-f-]{36}$/.test(answer);
const ago = async (days: number): Promise<PayerHistory> => ({
  since: new Date((await db.now()).getTime() - days * 24 * 3_600_000),
  finished: 1,
});

test('at first 200 an order and 300 a day, after sixty days 500 and 1000, by level 3 2000 and 3000', async () => {
  const fresh = await person();
  assert.equal(await order(fresh, '200.01'), 'amount_above_reversible 200.00');
  assert.ok(counted(await order(fresh, '200')));
  assert.equal(await order(fresh, '150'), 'amount_above_reversible 100.00', 'of the day');
  assert.equal(await order(await person(), '201', await ago(59)), 'amount_above_reversible 200.00');
  assert.ok(counted(await order(await person(), '500', await ago(60))));
  assert.equal(await order(await person(), '501', await ago(400)), 'amount_above_reversible 500.00');
  const full = await person(3);
  assert.ok(counted(await order(full, '2000')));
  assert.equal(await order(full, '1500'), 'amount_above_reversible 1000.00');
});

test('1000 in thirty days; cancelled orders and those of other currencies don’t count', async () => {
  const email = await person();
  for (let day = 0; day < 5; day += 1) {
    assert.ok(counted(await order(email, '190')));
    await advanceClock(db, 24 * 3_600_000 + 1_000);
  }
  assert.equal(await order(email, '100'), 'amount_above_reversible 50.00');
  const last = await order(email, '50');
  await db.tx((tx) => settle(tx, [{ owner: { kind: 'order', id: last }, outcome: 'ended' }]));
  assert.ok(counted(await order(email, '50')));
  const other = await person();
  await db.tx((tx) => reserveLimits(tx, other, parse('USD', '15000'), { kind: 'order', id: randomUUID() }));
  assert.ok(counted(await order(other, '200')), 'what was paid in bitcoin bounds nothing here');
});

test('the total of reversible payments stays within the confirmed limit, while they can be taken back', async () => {
  await db.run(`delete from limit_use`);
  for (let paid = 0; paid < 10; paid += 1) assert.ok(counted(await order(await person(3), '1999')));
  assert.equal(await order(await person(), '11'), 'direction_closed exposure');
  assert.ok(counted(await order(await person(), '10')));
  await advanceClock(db, 100 * 24 * 3_600_000);
  await forgetUses(db);
  assert.equal(await order(await person(), '1'), 'direction_closed exposure', 'a hundred days later still');
  await advanceClock(db, 81 * 24 * 3_600_000);
  assert.ok(counted(await order(await person(), '200')));
});

test('requires level 2; the first three orders wait 72 hours, further ones 24', () => {
  assert.throws(
    () => requirePayerLevel('PAYPAL_USD', 1),
    (error: Problem) => error.code === 'level_needed' && error.details.errors === undefined,
  );
  requirePayerLevel('PAYPAL_EUR', 2);
  requirePayerLevel('BTC', 0);
  assert.deepEqual(['PAYPAL_USD', 'PAYPAL_EUR', 'BTC'].map(payerLevel), [2, 2, 0]);
  assert.deepEqual(
    [0, 2, 3, 50].map((finished) => clearingMs(finished) / 3_600_000),
    [72, 72, 24, 24],
  );
  assert.deepEqual([maxReversible(2).parts, maxReversible(3).parts], [50_000n, 200_000n]);
});
