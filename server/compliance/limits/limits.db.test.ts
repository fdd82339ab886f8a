import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { parse } from '@kurs/money';
import { writeHolderMacs } from '../../auth/testing.ts';
import { type Db, advanceClock } from '../../platform/index.ts';
import { testDb } from '../../platform/testing.ts';
import { configureCompliance } from '../configure.ts';
import { finishCustomers, hasFinished } from '../customers/customer-store.ts';
import { setLevel } from '../customers/level.ts';
import { heldByUnit } from './hold-store.ts';
import { type NewHold, mayHold, takeHolds } from './hold.ts';
import { complianceCheck } from '../check-books.ts';
import { addSources, readCounted, reserveLimits } from './limits.ts';
import { type Settlement, settle as settleAll } from './settle.ts';
import { moveCustomer } from './move-customer.ts';
import type { Subject } from '../customers/subject.ts';
import { tryUnpaid } from './unpaid.ts';

let db: Db;
let drop: () => Promise<void>;

before(async () => {
  ({ db, drop } = await testDb());
  configureCompliance({ botKey: 'k', isLoopbackCounted: true });
});
after(() => drop());
beforeEach(async () => {
  for (const table of ['customer', 'customer_level', 'limit_use', 'unpaid_use', 'unpaid_hold', 'hold_total', 'short_lock'])
    await db.run(`delete from ${table}`);
});

const usd = (text: string) => parse('USD', text) as ReturnType<typeof parse<'USD'>>;
const orderOf = (id: string) => ({ kind: 'order', id });
const HOLDERS = new Map<string, string>();
/** Returns the id of the account with an address, the same throughout this file. */
function holderId(email: string): string {
  const id = HOLDERS.get(email) ?? randomUUID();
  HOLDERS.set(email, id);
  return id;
}
/** Returns a signed-in customer with a verified mailbox. */
const person = (email: string, more: Partial<Subject> = {}): Subject => ({
  email,
  accounts: [],
  holder: { id: holderId(email), mailbox: email },
  ...more,
});
/** Returns a visitor, whose data is only typed, at a device. */
const visitor = (email: string, device: string, more: Partial<Subject> = {}): Subject => ({
  email,
  accounts: [],
  device,
  ip: '203.0.113.7',
  ...more,
});
const reserve = async (subject: Subject, amount: string, orderId: string = randomUUID(), slackPercent = 0) => {
  await db.tx((tx) => reserveLimits(tx, subject, usd(amount), orderOf(orderId), { slackPercent }));
  return orderId;
};
const settle = (outcome: Settlement['outcome'], ...ids: string[]) =>
  db.tx((tx) =>
    settleAll(
      tx,
      ids.map((id) => ({ owner: orderOf(id), outcome })),
    ),
  );
/** Returns the remaining sum that the refusal states. */
const left = async (run: Promise<unknown>): Promise<string> => {
  const problem = await run.then(
    () => assert.fail('was not refused'),
    (error: unknown) => error,
  );
  assert.ok(problem instanceof Problem, String(problem));
  const field = problem.details.errors?.['amount'] as { code: string; params: { left: string } };
  assert.equal(field.code, 'amount_above_limit');
  return field.params.left;
};

test('a visitor exchanges 1 000 an order, 2 000 in 24 hours, 5 000 in 30 days', async () => {
  const ann = person('ann@x.org');
  assert.equal(await left(reserve(ann, '1000.01')), '1000.00');
  await reserve(ann, '1000');
  await reserve(ann, '700');
  assert.equal(await left(reserve(ann, '300.01')), '300.00');
  await reserve(ann, '300');
  assert.equal(await left(reserve(ann, '0.01')), '0.00');
  await advanceClock(db, 24 * 3_600_000 + 1_000);
  await reserve(ann, '1000');
  await reserve(ann, '1000');
  await advanceClock(db, 24 * 3_600_000 + 1_000);
  assert.equal(await left(reserve(ann, '1000.01')), '1000.00');
  await reserve(ann, '1000');
  assert.equal(await left(reserve(ann, '0.01')), '0.00');
  await advanceClock(db, 29 * 24 * 3_600_000);
  await reserve(ann, '1000');
});

test('after a change of address, used limits count under both addresses, and the level stays with the account', async () => {
  await db.run(
    `insert into account_holder (id, email, email_key, locale, created_at) values ($1, 'ann@x.org', 'ann@x.org', 'en', clock_now())`,
    [holderId('ann@x.org')],
  );
  await writeHolderMacs(db);
  await db.tx((tx) => setLevel(tx, holderId('ann@x.org'), 1, 'papers'));
  await reserve(person('ann@x.org'), '2000');
  for (let round = 0; round < 2; round += 1)
    await db.tx((tx) => moveCustomer(tx, { from: 'ann@x.org', to: 'ann+kurs@new.x.org' }));
  const moved = { ...person('ann@new.x.org'), holder: { id: holderId('ann@x.org'), mailbox: 'ann@new.x.org' } };
  assert.equal(await left(reserve(moved, '3000.01')), '3000.00');
  await reserve(moved, '3000');
  assert.equal(await left(reserve(moved, '0.01')), '0.00');
  const others = (mailbox: string): Subject => ({ ...person(mailbox), holder: { id: randomUUID(), mailbox } });
  for (const mailbox of ['ann@new.x.org', 'ann@x.org'])
    assert.equal(await left(reserve(others(mailbox), '0.01')), '0.00', mailbox);
});

test('a customer’s record of a payout is copied to a new address, and stays under the old one', async () => {
  await settle('completed', await reserve(person('paid@x.org'), '100'));
  for (let round = 0; round < 2; round += 1) await db.tx((tx) => moveCustomer(tx, { from: 'paid@x.org', to: 'paid@new.x.org' }));
  const finished = await db.rows<{ email: string }>('select email from customer where finished order by email');
  assert.deepEqual(
    finished.map(({ email }) => email),
    ['paid@new.x.org', 'paid@x.org'],
  );
});

test('orders with the same verified mailbox, device or source count together; those of one network don’t', async () => {
  await reserve(person('ann+1@x.org'), '1000');
  const source = await reserve(visitor('bob@x.org', 'd'), '900');
  await db.tx((tx) =>
    addSources(tx, [
      { owner: orderOf(source), source: 'BTC:source' },
      { owner: orderOf(source), source: 'BTC:source' },
    ]),
  );
  assert.equal(await left(reserve(person('ANN@x.org'), '1000.01')), '1000.00');
  await reserve(visitor('eve@x.org', 'd'), '1000');
  assert.equal(await left(reserve(visitor('eve@x.org', 'd'), '101')), '100.00');
  await reserve(visitor('joe@x.org', 'of joe', { ip: '203.0.113.9' }), '1000');
  const bySource = (device: string, amount: string) =>
    db.tx((tx) =>
      reserveLimits(tx, visitor('kim@x.org', device), usd(amount), orderOf(randomUUID()), { sources: ['BTC:source'] }),
    );
  assert.equal(await left(bySource('of kim', '1101')), '1000.00');
  await bySource('of kim', '1000');
  assert.equal(await left(bySource('of kim', '101')), '100.00');
  // An account that is only named for refunds is no payment source: its sums count only against their own customer.
  await bySource('of lee', '1000');
});

test('typed data counts neither against customers who have proven theirs nor against other devices', async () => {
  const accounts = ['BTC:hers', 'USDT_TRC20:hers'];
  for (const typed of ['ann@x.org', 'Ann+2@x.org']) await reserve(visitor(typed, 'of mallory', { accounts }), '1000');
  assert.equal(await left(reserve(visitor('ann@x.org', 'of mallory'), '0.01')), '0.00', 'it counts where it was typed');
  await reserve(person('ann@x.org', { accounts, device: 'of ann' }), '1000');
  await reserve(visitor('ann@x.org', 'her telephone', { accounts }), '1000');
  await reserve(visitor('other@x.org', 'a third', { accounts }), '1000');
  // A holder without a verified mailbox is a holder all the same.
  await reserve({ ...person('ann@x.org', { accounts }), holder: { id: 'h' } }, '1000');
});

test('an order that shares several keys counts once', async () => {
  const ann = person('ann@x.org', { device: 'd', ip: '203.0.113.7' });
  await reserve(ann, '1000');
  await reserve(ann, '1000');
});

test('cancelled orders stop counting; paid-out orders go on counting', async () => {
  const ann = person('ann@x.org');
  const ids = [await reserve(ann, '1000'), await reserve(ann, '1000')];
  await settle('completed', ids[0] as string);
  await settle('expired', ids[1] as string);
  await settle('expired', ids[1] as string);
  assert.equal(await left(reserve(ann, '1000.01')), '1000.00');
  await settle('ended', ids[0] as string);
  await reserve(ann, '1000');
  await reserve(ann, '1000');
});

test('re-pricing replaces an order’s own sum and may exceed a limit by 10 %', async () => {
  const ann = person('ann@x.org');
  const order = await reserve(ann, '900');
  await reserve(ann, '1000', order);
  assert.equal(await left(reserve(ann, '1001', order)), '1000.00');
  await reserve(ann, '1100', order, 10);
  assert.equal(await left(reserve(ann, '1100.01', order, 10)), '1100.00');
  assert.equal(await left(reserve(ann, '901')), '900.00');
});

test('concurrent orders together stay within the limit', async () => {
  const tries = await Promise.allSettled(Array.from({ length: 12 }, () => reserve(person('ann@x.org'), '400')));
  assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 5);
});

// Unpaid orders.

const RESERVE = 1_000_000n;
const place = (subject: Subject, parts = 1n, more: Partial<NewHold> = {}) => {
  const orderId = randomUUID();
  const owner = orderOf(orderId);
  return db.tx(async (tx) => {
    const { minutes, record } = await tryUnpaid(tx, [{ owner, subject }]);
    const [lockMinutes] = minutes;
    if (lockMinutes instanceof Problem) throw lockMinutes;
    record(() => true);
    const [hold] = await mayHold(tx, [{ owner, subject, unit: 'USDT', parts, reserve: RESERVE, ...more }]);
    if (hold) takeHolds(tx, [hold]);
    return { orderId, lockMinutes, held: hold !== undefined };
  });
};
const refused = (run: Promise<unknown>) =>
  assert.rejects(run, (error) => error instanceof Problem && error.code === 'too_many_unpaid_orders');

test('a customer may have 2 open unpaid orders, by any shared key', async () => {
  const first = await place(visitor('ann@x.org', 'd'));
  await place(visitor('a@x.org', 'd'));
  await refused(place(visitor('b@x.org', 'd')));
  await place(person('ann@x.org'));
  await place(person('ANN@x.org'));
  await refused(place(person('Ann+1@x.org')));
  await settle('cancelled', first.orderId);
  await place(visitor('b@x.org', 'd'));
});

test('nobody uses up another’s unpaid orders, or shortens their locks, by typing their address and accounts', async () => {
  const accounts = ['BTC:hers'];
  const typed = visitor('ann@x.org', 'of mallory', { accounts });
  for (let placed = 0; placed < 6; placed += 1) await settle('expired', (await place(typed)).orderId);
  await refused(place(typed));
  const hers = [person('ann@x.org', { accounts, device: 'of ann' }), visitor('ann@x.org', 'her telephone', { accounts })];
  for (const subject of hers) assert.equal((await place(subject)).lockMinutes, 15);
});

test('a customer may leave 6 orders unpaid in 24 hours; paid ones don’t count', async () => {
  const ann = person('ann@x.org');
  for (let placed = 0; placed < 6; placed += 1) await settle('cancelled', (await place(ann)).orderId);
  await refused(place(ann));
  await advanceClock(db, 24 * 3_600_000 + 1_000);
  for (let placed = 0; placed < 9; placed += 1) await settle('paid', (await place(ann)).orderId);
  await place(ann);
});

test('a network may have 10 open unpaid orders', async () => {
  for (let number = 0; number < 10; number += 1) await place(person(`p${number}@x.org`, { ip: `203.0.113.${number}` }));
  await refused(place(person('p@x.org', { ip: '203.0.113.200' })));
  await place(person('p@x.org', { ip: '203.0.114.1' }));
});

test('three unpaid expiries in 24 hours shorten the locks for a week', async () => {
  const ann = person('ann@x.org', { ip: '203.0.113.7' });
  for (let placed = 0; placed < 3; placed += 1) {
    const { orderId, lockMinutes } = await place(ann);
    assert.equal(lockMinutes, 15);
    await settle('expired', orderId);
  }
  assert.equal((await place(ann)).lockMinutes, 5);
  assert.equal((await place(person('other@x.org', { ip: '203.0.113.7' }))).lockMinutes, 15, 'a network is only a signal');
  await advanceClock(db, 7 * 24 * 3_600_000 - 60_000);
  assert.equal((await place(person('ann@x.org'))).lockMinutes, 5);
  await advanceClock(db, 120_000);
  assert.equal((await place(person('Ann@x.org', { accounts: [] }), 1n).catch(() => ({ lockMinutes: 15 }))).lockMinutes, 15);
});

test('one order may hold 10 % of a reserve', async () => {
  assert.equal((await place(person('a@x.org'), RESERVE / 10n)).held, true);
  assert.equal((await place(person('b@x.org'), RESERVE / 5n)).held, false);
});

test('unpaid orders may hold 20 % of a reserve for visitors, 40 % for all together and 10 % for one network', async () => {
  // The reserve passed in excludes what is held; the check adds it again.
  let held = 0n;
  const hold = async (subject: Subject, parts: bigint): Promise<boolean> => {
    const status = await place(subject, parts, { reserve: RESERVE - held });
    if (status.held) held += parts;
    return status.held;
  };
  assert.equal(await hold(person('n1@x.org', { ip: '203.0.113.1' }), 60_000n), true);
  assert.equal(await hold(person('n2@x.org', { ip: '203.0.113.2' }), 60_000n), false, 'network');
  assert.equal(await hold(person('n3@x.org', { ip: '203.0.113.3' }), 40_000n), true);
  assert.equal(await hold(person('v1@x.org'), 100_000n), true);
  assert.equal(await hold(person('v2@x.org'), 1n), false, 'visitors');
  for (const email of ['f1@x.org', 'f2@x.org', 'f3@x.org']) {
    await db.tx((tx) => finishCustomers(tx, [{ email, by: 'test' }]));
  }
  assert.equal(await hold(person('f1@x.org'), 100_000n), true);
  assert.equal(await hold(person('f2@x.org'), 100_000n), true);
  assert.equal(await hold(person('f3@x.org'), 1n), false, 'all');
  assert.equal((await heldByUnit(db)).get('USDT'), 400_000n);
});

test('a payout record written by SQL is ignored, and the proof reports it', async () => {
  const known = (email: string) => hasFinished(db, email);
  await db.tx((tx) => finishCustomers(tx, [{ email: 'ann@x.org', by: 'order' }]));
  await db.run(`insert into customer (email, finished, by, at) values ('eve@x.org', true, 'order', clock_now())`);
  await db.run(
    `insert into customer (email, finished, by, at, mac) select 'bob@x.org', true, by, at, mac from customer where email = 'ann@x.org'`,
  );
  assert.deepEqual([await known('ann@x.org'), await known('eve@x.org'), await known('bob@x.org')], [true, false, false]);
  const faults = (await complianceCheck.faults?.(db)) ?? [];
  assert.deepEqual(faults.map(({ account }) => account).toSorted(), ['bob@x.org', 'eve@x.org']);
  await db.tx((tx) => moveCustomer(tx, { from: 'eve@x.org', to: 'eva@x.org' }));
  assert.equal(await known('eva@x.org'), false, 'a move makes it no truer');
  await db.tx((tx) => finishCustomers(tx, [{ email: 'eve@x.org', by: 'order' }]));
  assert.equal(await known('eve@x.org'), true);
});

test('concurrent holds stay within the share: transactions that would exceed it are retried', async () => {
  const placed = await Promise.all(
    Array.from({ length: 8 }, (_, at) => place(person(`p${at}@x.org`, { ip: `198.51.100.${at}` }), 30_000n)),
  );
  assert.equal(placed.filter(({ held }) => held).length, 3, 'a network holds 10 %');
  assert.equal((await heldByUnit(db)).get('USDT'), 90_000n);
  let tries = 0;
  await db.tx(async (tx) => {
    tries += 1;
    const hold = {
      owner: orderOf(randomUUID()),
      unit: 'USDT',
      parts: 60_000n,
      reserve: RESERVE,
      shares: [['USDT', tries === 1 ? 10 : 40] as const],
    };
    takeHolds(tx, [hold]);
  });
  assert.equal(tries, 2, 'one that is refused is a transaction that is done again');
  assert.equal((await heldByUnit(db)).get('USDT'), 150_000n);
});

test('within one request, each hold counts for those after it', async () => {
  await db.tx(async (tx) => {
    const hold = (name: string, ip: string) => ({
      ...{
        owner: orderOf(randomUUID()),
        subject: person(`${name}@x.org`, { ip }),
        unit: 'USDT',
        parts: 60_000n,
        reserve: RESERVE,
      },
    });
    const requests = [hold('a', '203.0.113.1'), hold('b', '203.0.113.2'), hold('c', '198.51.100.1')];
    const holds = await mayHold(tx, requests);
    assert.deepEqual(
      holds.map((one) => one?.reserve),
      [RESERVE, undefined, RESERVE - 60_000n],
      'a network holds 10 %; what those before hold is no reserve of those after',
    );
    takeHolds(
      tx,
      holds.flatMap((one) => one ?? []),
    );
    const { minutes, record } = await tryUnpaid(tx, [
      ...Array.from({ length: 3 }, () => ({ owner: orderOf(randomUUID()), subject: visitor('a@x.org', 'd') })),
      { owner: orderOf(randomUUID()), subject: visitor('b@x.org', 'e') },
    ]);
    const codes = minutes.map((one) => (one instanceof Problem ? one.code : one));
    assert.deepEqual(codes, [15, 15, 'too_many_unpaid_orders', 15]);
    record((place) => place !== 1);
  });
  assert.equal((await heldByUnit(db)).get('USDT'), 120_000n);
  await place(visitor('a@x.org', 'd'));
  await refused(place(visitor('a@x.org', 'd')));
});

test('a hold is released exactly once, however the order ends', async () => {
  const ids = (await Promise.all(['a', 'b', 'c', 'd'].map((name) => place(person(`${name}@x.org`), 10_000n)))).map(
    ({ orderId }) => orderId,
  );
  const outcomes = ['paid', 'expired', 'cancelled', 'completed'] as const;
  const settlements = ids.map((id, index) => ({ owner: orderOf(id), outcome: outcomes[index] as Settlement['outcome'] }));
  await db.tx((tx) => settleAll(tx, settlements));
  await db.tx((tx) => settleAll(tx, settlements));
  assert.equal((await heldByUnit(db)).get('USDT'), 0n);
  await assert.rejects(
    db.tx((tx) => settleAll(tx, [settlements[0], settlements[0]] as Settlement[])),
    Problem,
  );
});

test('the proof of the books reports a total that is not the sum of its holds', async () => {
  const accused = async () => ((await complianceCheck.faults?.(db)) ?? []).map(({ check, account }) => `${check} ${account}`);
  const { orderId } = await place(person('a@x.org'), 10_000n);
  assert.deepEqual(await accused(), []);
  await db.run(`update hold_total set parts = parts + 1 where key = 'USDT'`);
  assert.deepEqual(await accused(), ['hold USDT']);
  await db.run(`update hold_total set parts = parts - 1 where key = 'USDT'`);
  await db.run(`update unpaid_hold set totals = totals || 'BTC'::text where owner_id = $1`, [orderId]);
  assert.deepEqual(await accused(), ['hold BTC']);
});

test('a customer with a paid-out order is not counted as a visitor', async () => {
  const ann = person('ann@x.org');
  const order = await reserve(ann, '100');
  await settle('completed', order);
  assert.equal((await place(person('v@x.org'), 100_000n)).held, true);
  assert.equal((await place(person('w@x.org'), 100_000n)).held, true);
  assert.equal((await place(person('x@x.org'), 50_000n)).held, false);
  assert.equal((await place(person('Ann@x.org'), 50_000n)).held, true);
  assert.equal((await place(visitor('ann@x.org', 'of mallory'), 60_000n)).held, false, 'anybody can type an address');
});

test('orders placed and ended concurrently stay within limits and don’t block each other', async () => {
  const subjects = Array.from({ length: 16 }, (_, index) =>
    person(`p${index % 8}@x.org`, { ip: '203.0.113.1', device: `d${index % 5}` }),
  );
  const placed = await Promise.allSettled(subjects.map((subject) => place(subject, 15_000n)));
  const ok = placed.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  for (const one of placed)
    if (one.status === 'rejected') assert.equal((one.reason as Problem).code, 'too_many_unpaid_orders', String(one.reason));
  assert.ok(ok.length > 0 && ok.length <= 10);
  // Held money counts towards the whole: 7 × 15 000 is within 10 % of 1 090 000, 8 × 15 000 is not of 1 105 000.
  assert.ok(ok.filter(({ held }) => held).length <= 7, 'a network holds more than 10 %');
  await Promise.all(ok.map(({ orderId }, index) => settle(index % 2 ? 'expired' : 'paid', orderId)));
  assert.equal((await heldByUnit(db)).get('USDT'), 0n);
});

test('an order placed by one spelling of a mailbox counts for every other', async () => {
  await reserve(person('ivan.petrov@yandex.ru'), '900');
  const { used } = await readCounted(db, person('Ivan-Petrov+2@ya.ru'), await db.now());
  assert.deepEqual(used, [90_000n, 90_000n]);
  assert.deepEqual((await readCounted(db, person('ivanpetrov@ya.ru'), await db.now())).used, [0n, 0n]);
});
