// Changing an account's address moves everything stored by the old one, except for stated reasons.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from '@kurs/money';
import { configureCompliance } from '../compliance/index.ts';
import { type Claimant, askCoupon, couponCheck, earnLate, holdUse, moveCoupons } from '../coupons/index.ts';
import { makePlain } from '../coupons/testing.ts';
import { countTurnover } from '../loyalty/index.ts';
import { type Db, newId } from '../platform/index.ts';
import { testDb } from '../platform/testing.ts';
import { moveAddress } from './moving.ts';

let db: Db;
let owner: Db;
let drop: () => Promise<void>;
before(async () => {
  ({ db, owner, drop } = await testDb());
  configureCompliance({ botKey: 'key', isLoopbackCounted: true });
});
after(() => drop());

/**
 * Columns that may hold a customer's address, and what happens to them after a change: `moves`, or the reason why they stay.
 * `log` and similar columns hold no address.
 */
const COLUMNS: Readonly<Record<string, string>> = {
  'account_holder.email': 'moves',
  'account_holder.email_key': 'moves',
  'coupon.email_key': 'moves',
  'coupon.earned_keys': 'moves',
  'coupon_use.keys': 'moves',
  'customer.email': 'moves',
  'limit_use.key': 'moves',
  'payer.customer': 'moves',
  'short_lock.key': 'moves',
  'turnover_day.customer': 'moves',
  'unpaid_use.key': 'moves',
  'binding.customer': 'what was typed ends for both addresses; that of an account is kept by its id',
  'affiliate_key.key': 'an affiliate stays known by what they were known by, so that nobody earns by their own orders',
  'block_key.key': 'a block stops an old address, too; the account is blocked by its id',
  'debt_key.key': 'a debt is known by every key that its debtor had; the account by its id',
  'earn_order.keys': 'an order that qualified somebody qualifies nobody else who is known by the old address',
  'earn_draw.customer': 'draws are bounded by the account’s id, and by the address that it had',
  'earn_task.customer': 'a task is paid once to an account, and once to an address that it had',
  'customer_order.customer': 'the contact that an order was placed with; orders of an account are found by its id',
  'customer_order.email': 'the contact that an order was placed with',
  'referred_order.customer': 'customers of a month are counted by the contact of their order',
  'calculation.email': 'a draft lives for minutes',
  'calculation.mailbox': 'a draft lives for minutes',
  'discount_button.customer': 'a button lives as long as its calculation',
  'discount_button.email': 'a letter goes where it was asked to',
  'support_thread.email': 'answers go where the question came from',
  'invoice.email': 'the contact that a shop or a buyer gave with the invoice',
  'store_refund.email': 'the address for which a shop made the refund',
  'store_invitation.email': 'an invitation of seven days is for the holder of the address that was typed',
  'store_invitation.email_key': 'an invitation of seven days is for the holder of the address that was typed',
  'mail.recipient': 'where a letter went',
  'mail.key': 'the name of a letter',
  'audit.subject': 'what was done stays as it was written',
  'operator_request.subject': 'a request names the account, and is void once the address is another’s',
  'one_time_code.subject': 'codes to the old address end with the change, or within minutes',
  'factor_tries.whose': 'tries are counted for an hour',
  'moneyout_counted.customer': 'an account’s payouts are counted by its id; a visitor’s by the contact of the order',
  'payin.customer': 'how deep one order is paid: by the account’s id, or for the hours of an order',
  'payout.customer': 'as of its order',
  'receiving_address.customer': 'as of its order',
  'order_event.who': 'who of the desk did it',
  'block.who': 'the name of a block, as people gave it',
  'payout_voucher_shown.who': 'where a voucher was shown',
  'support_message.person': 'who of the desk wrote it',
};
/** Columns with other names and keys: of settings, files, receiving addresses, and actions that happen once. */
const OTHER = new Set([
  ...['alarm.key', 'alarm_told.key', 'account_holder.avatar_key', 'avatar.key', 'event.subject', 'google_account.subject'],
  ...[
    'hold_total.key',
    'idempotency.key',
    'limit_key.key',
    'moneyout_address.key',
    'payin.key',
    'payout.to_key',
    'receiving_address.to_key',
  ],
  ...[
    'business.address',
    'setting.key',
    'setting_history.key',
    'store_link_picture.key',
    'store_mark.key',
    'support_message.key',
    'wallet_withdrawal.to_key',
  ],
]);

test('every column that may hold a customer’s address moves with it or stays for a reason', async () => {
  const rows = await owner.rows<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and data_type in ('text', 'character varying', 'ARRAY')
       and column_name ~ '(^|_)(e?mails?|customers?|keys?|subject|mailbox|recipient|whose|who|person|address)$'
     order by 1`,
  );
  const found = rows.map(({ name }) => name);
  const known = [...Object.keys(COLUMNS), ...OTHER];
  assert.deepEqual(
    found.filter((name) => !known.includes(name)),
    [],
    'say what becomes of these as a customer has another address',
  );
  assert.deepEqual(
    Object.keys(COLUMNS).filter((name) => !found.includes(name)),
    [],
    'these are gone',
  );
});

const usd = (sum: string): bigint => parse('USDT', sum).parts;
const [OLD, NEW] = ['ann@old.example.org', 'ann@new.example.org'];
/** A visitor who enters an address. */
const visitor = (email: string): Claimant => ({
  emailKey: email,
  holderId: undefined,
  keys: [`email:${email}`],
  hasOrdered: async () => false,
});
/** Returns why a coupon is refused for an address, or that it applies. */
const answerTo = (code: string, email: string): Promise<string> =>
  db.now().then((now) =>
    askCoupon(db, code, { direction: 'btc-usdt', now, claimant: visitor(email) }).then(
      () => 'gives',
      (error: { code: string }) => error.code,
    ),
  );
const lateOrder = (email: string, worth: string) => ({
  ...{ id: newId(), emailKey: email, keys: [`email:${email}`], worth: usd(worth), hasCounted: true },
});
/** Earns a late coupon while the day and the pot have `left`. Returns what was given at once. */
const late = (email: string, worth: string, left = usd('1000')): Promise<number[]> =>
  db.tx(async (tx) => (await earnLate(tx, [lateOrder(email, worth)], async () => left)).given.map(({ parts }) => Number(parts)));
const accused = async (): Promise<string[]> =>
  ((await couponCheck.faults?.(db)) ?? [])
    .filter(({ words }) => words.includes('not as it was'))
    .map(({ account }) => account ?? '');
/** Returns everything that is stored by address. */
const status = async (): Promise<unknown> =>
  Promise.all([
    db.rows('select id, email_key, earned_keys from coupon order by id'),
    db.rows('select id, keys from coupon_use order by id'),
    db.rows('select customer, day::text, cents from turnover_day order by 1, 2'),
    db.rows('select account, customer from payer order by 1'),
  ]);
const move = (from: string, to: string): Promise<void> => db.tx((tx) => moveAddress(tx, { from, to }));

test('coupons, their uses, the sum of late coupons, turnover and payers go along; changed back, all is as it was', async () => {
  await db.tx(async (tx) => {
    await makePlain(
      tx,
      { code: 'BOUND', kind: 'percent', percent: '10', value: undefined, max: usd('50'), emailKey: OLD },
      { code: 'ONCE', kind: 'percent', percent: '10', value: undefined, max: usd('50'), uses: 9, perCustomer: 2 },
    );
    await countTurnover(tx, [{ email: OLD, cents: 60_000n, completedAt: tx.now }]);
    await tx.run(
      `insert into payer (account, customer, owner_kind, owner_id, at, shown)
       values ('PAYPAL_USD:HERS', $1, 'order', $2, $3, true), ('PAYPAL_USD:TYPED', $1, 'order', $2, $3, false)`,
      [OLD, newId(), tx.now],
    );
    const request = await askCoupon(tx, 'ONCE', { direction: 'btc-usdt', now: tx.now, claimant: visitor(OLD) });
    for (const claimant of [
      { ...visitor(OLD), shown: [] },
      { ...visitor(OLD), holderId: newId() },
    ])
      await holdUse(tx, { owner: { kind: 'order', id: newId() }, request, claimant, needed: usd('1') });
  });
  assert.deepEqual([await late(OLD, '20'), await late(OLD, '20'), await late(OLD, '7', 0n)], [[20e6], [20e6], []], 'one waits');
  const before = await status();
  const answers = async (): Promise<string[]> =>
    Promise.all([OLD, NEW].flatMap((email) => ['BOUND', 'ONCE'].map((code) => answerTo(code, email))));
  assert.deepEqual(await answers(), ['gives', 'coupon_not_yours', 'coupon_not_yours', 'gives']);
  for (let round = 0; round < 2; round += 1) {
    await move(OLD, NEW);
    assert.deepEqual(await answers(), ['coupon_not_yours', 'coupon_not_yours', 'gives', 'coupon_not_yours']);
    const bound = await db.rows<{ state: string }>('select state from coupon where email_key = $1 order by state', [NEW]);
    assert.deepEqual(
      bound.map(({ state }) => state),
      ['live', 'live', 'live', 'waiting'],
    );
    assert.deepEqual(await db.rows('select from coupon where email_key = $1', [OLD]), []);
    const payers = await db.rows<{ customer: string }>('select customer from payer order by account');
    assert.deepEqual(
      payers.map(({ customer }) => customer),
      [NEW, OLD],
      'what was only typed stays',
    );
    assert.deepEqual(await accused(), []);
    await move(NEW, OLD);
    assert.deepEqual(await status(), before);
    assert.deepEqual(await accused(), []);
  }
});

test('what late orders have earned in 30 days counts under the new address and the old one', async () => {
  const [was, is] = ['bob@old.example.org', 'bob@new.example.org'];
  await owner.run(`delete from coupon where state = 'waiting'`);
  assert.deepEqual([await late(was, '20'), await late(was, '20')], [[20e6], [20e6]]);
  await move('Bob@old.example.org', is);
  assert.deepEqual(await late(is, '20'), [10e6], 'of 50 USD in 30 days');
  assert.deepEqual(await late(was, '20'), [10e6], 'nor does anybody begin anew by typing the old one');
});

test('an address keeps its own coupons when an account moves to it, and all of them move on with the account', async () => {
  const [was, is, third] = ['dan@old.example.org', 'dan@new.example.org', 'dan@third.example.org'];
  await owner.run(`delete from coupon where kind = 'late'`);
  await db.tx((tx) =>
    makePlain(
      tx,
      { code: 'DANOLD', kind: 'percent', percent: '10', value: undefined, max: usd('50'), emailKey: was },
      { code: 'DANNEW', kind: 'percent', percent: '10', value: undefined, max: usd('50'), emailKey: is },
    ),
  );
  assert.deepEqual([await late(was, '20'), await late(is, '20')], [[20e6], [20e6]]);
  const answers = async (email: string): Promise<string[]> =>
    Promise.all(['DANOLD', 'DANNEW'].map((code) => answerTo(code, email)));
  await move(was, is);
  assert.deepEqual(
    [await answers(is), await answers(was)],
    [
      ['gives', 'gives'],
      ['coupon_not_yours', 'coupon_not_yours'],
    ],
  );
  assert.deepEqual(await late(is, '20'), [10e6], 'what both have earned counts');
  await move(is, third);
  assert.deepEqual(
    [await answers(third), await answers(is)],
    [
      ['gives', 'gives'],
      ['coupon_not_yours', 'coupon_not_yours'],
    ],
  );
  assert.deepEqual([await late(third, '20'), await late(was, '20'), await late(is, '20')], [[], [20e6], []]);
  assert.deepEqual(await accused(), []);
});

test('a coupon that was changed by SQL stays where it is, and stays accused', async () => {
  const [was, is] = ['eve@old.example.org', 'eve@new.example.org'];
  await db.tx((tx) =>
    makePlain(tx, { code: 'EVE', kind: 'percent', percent: '10', value: undefined, max: usd('50'), emailKey: is }),
  );
  await owner.run(`update coupon set email_key = $1 where code = 'EVE'`, [was]);
  await db.tx((tx) => moveCoupons(tx, { from: was, to: is }));
  const row = await db.row<{ id: string; email_key: string }>(`select id, email_key from coupon where code = 'EVE'`);
  assert.equal(row?.email_key, was);
  assert.ok((await accused()).some((account) => account.includes(row?.id ?? '?')));
});
