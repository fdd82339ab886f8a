// Approvals that customers cause by their own orders: the review announces them, the placing checks again, and the promised
// time's clock stops, whichever order is paid first. Approvals by desk-wide limits are not announced, and the clock runs.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { writeHolderMacs } from '../../auth/testing.ts';
import { makeCode } from '../../auth/index.ts';
import { setLevel } from '../../compliance/index.ts';
import { accounts, leg, post } from '../../ledger/index.ts';
import { type SettingsWatch, canonicalEmail, newId, putSetting, watchSettings } from '../../platform/index.ts';
import { cancelOrder } from '../actions/cancel-order.ts';
import { actOnOrder } from '../actions/desk-actions.ts';
import { type PlaceInput, openPlacing, placeOrder } from '../actions/place-order.ts';
import { step1, step2, step3 } from '../calculation/calculate.ts';
import type { Calculation } from '../calculation/calculation.ts';
import { lockCalculations, saveCalculation } from '../calculation/calculation-store.ts';
import { takenSeconds } from '../order/clock.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { type PlaceOptions, type World, openWorld } from './world.testing.ts';

let world: World;
let settings: SettingsWatch;
let customers = 0;
const put = async (values: Readonly<Record<string, unknown>>): Promise<void> => {
  await world.db.tx(async (tx) => {
    for (const [key, value] of Object.entries(values)) await putSetting(tx, key, value, 'test');
  });
  await settings.refresh();
};
before(async () => {
  world = await openWorld();
  world.holdSends();
  settings = await watchSettings(world.db);
  const id = newId();
  const legs = [leg(accounts.deskFree('USDT'), accounts.promo('late', 'USDT'), 500_000_000n)];
  await world.db.tx((tx) => post(tx, [{ id, kind: 'promo_funded', cause: id, legs }]));
});
beforeEach(async () => {
  // A day later earlier orders don't count. One order is worth 450 USD; two exceed a customer's daily limit.
  await world.pass(24 * 60 + 1);
  await put({
    'exchange.auto_order_usd': '3000',
    'exchange.auto_customer_day_usd': '700',
    'exchange.auto_desk_hour_usd': '10000',
  });
});
after(async () => {
  await settings.stop();
  await world.close();
});

const email = (): string => `own${(customers += 1)}@example.org`;

const calculating = () => ({ ...world.deps, tokens: world.deps.sender.tokens, approvalFor: () => 0, operators: async () => 2 });
/** Returns a calculation with its review, and whether the review announces an approval. */
async function reviewed(options: PlaceOptions): Promise<{ known: PlaceInput; hasWait: boolean }> {
  const { own } = options;
  const known = await world.calculate(options);
  return { known: { ...known, holderId: own?.id }, hasWait: await reviewAgain(known, own) };
}
async function reviewAgain(known: { id: string; token?: string | undefined }, own?: PlaceOptions['own']): Promise<boolean> {
  const review = await step3(
    calculating(),
    { ...known, bot_token: 'sandbox' },
    { locale: 'en', device: `device of ${known.id}` },
    own,
  );
  return review.waits_for_approval;
}
/** Lets the visitor prove to read the mailbox that they typed. */
const shown = ({ id }: PlaceInput): Promise<void> =>
  world.db.tx(async (tx) => {
    const calculation = (await lockCalculations(tx, [id])).get(id) as Calculation;
    saveCalculation(tx, { ...calculation, mailbox: canonicalEmail(calculation.email ?? '') });
  });
const placed = (known: PlaceInput): Promise<StoredOrder> => placeOrder(world.deps, known);
async function paid(order: StoredOrder): Promise<void> {
  world.pay(order);
  await world.mine();
}
async function sent(order: StoredOrder): Promise<void> {
  for (const event of ['send', 'accepted', 'final'] as const) await world.report(order, event);
  assert.equal(await world.state(order), 'completed');
}
async function approved(order: StoredOrder): Promise<void> {
  const action = { number: order.number, action: 'approve', by: 'olga', reason: 'a test' } as const;
  await world.db.tx((tx) => actOnOrder(tx, world.deps.sender, action));
}
const state = (order: StoredOrder): Promise<string> => world.state(order);
/** Returns the minutes that an order took us, and its late coupons. */
async function late(order: StoredOrder): Promise<{ minutes: number; coupons: number }> {
  const { view } = await world.order(order);
  const rows = await world.db.rows('select from coupon where earned_by = $1', [view.id]);
  return { minutes: Math.round((takenSeconds(view) ?? 0) / 60), coupons: rows.length };
}
const isChanged = (error: Problem): boolean => error.code === 'review_changed';

test('the review announces an order beyond its customer’s own daily limit, and its wait earns nothing', async () => {
  const customer = email();
  const first = await reviewed({ email: customer });
  assert.equal(first.hasWait, false);
  const one = await placed(first.known);
  const second = await reviewed({ email: customer.toUpperCase() });
  assert.equal(second.hasWait, true, 'the first one is open');
  await paid(one);
  await sent(one);
  assert.equal((await reviewed({ email: customer })).hasWait, true, 'the first one was paid out');
  const two = await placed(second.known);
  await paid(two);
  assert.equal(await state(two), 'approving');
  await world.pass(120);
  await approved(two);
  await sent(two);
  assert.deepEqual(await late(two), { minutes: 0, coupons: 0 });
  await world.pass(24 * 60 + 1);
  assert.equal((await reviewed({ email: customer })).hasWait, false, 'a day later');
});

test('a review without the announcement must be repeated once another order of the customer is placed', async () => {
  const customer = email();
  const [first, second] = [await reviewed({ email: customer }), await reviewed({ email: customer })];
  assert.deepEqual([first.hasWait, second.hasWait], [false, false]);
  await placed(first.known);
  await assert.rejects(placed(second.known), isChanged);
  assert.equal(await reviewAgain(second.known), true);
  const order = await placed(second.known);
  assert.equal(order.view.pinned.promised?.hasApproval, true);
});

test('a review with the announcement must be repeated once the customer’s other order has ended', async () => {
  const customer = email();
  const one = await placed((await reviewed({ email: customer })).known);
  const second = await reviewed({ email: customer });
  assert.equal(second.hasWait, true);
  await world.pass(1);
  await cancelOrder(world.deps, { id: one.number, token: world.token(one) });
  await assert.rejects(placed(second.known), (error: Problem) => error.code === 'quote_expired');
  assert.equal(await reviewAgain(second.known), false);
  assert.equal((await placed(second.known)).view.pinned.promised?.hasApproval, undefined);
});

test('of two placed at the same moment one is placed, and the other review must be repeated', async () => {
  const customer = email();
  const both = [await reviewed({ email: customer }), await reviewed({ email: customer })];
  const place = openPlacing(world.deps);
  const outcomes = await Promise.allSettled(both.map(({ known }) => place(known)));
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Problem).code] : []));
  assert.deepEqual(refused, ['review_changed']);
});

test('a customer who pays the announced order first earns nothing by the other one', async () => {
  const customer = email();
  const one = await placed((await reviewed({ email: customer })).known);
  const two = await placed((await reviewed({ email: customer })).known);
  assert.equal(two.view.pinned.promised?.hasApproval, true);
  await paid(two);
  await sent(two);
  await paid(one);
  assert.equal(await state(one), 'approving');
  await world.pass(120);
  await approved(one);
  await sent(one);
  assert.deepEqual(await late(one), { minutes: 0, coupons: 0 });
});

test('a customer earns nothing either if nobody approves in time and it is released otherwise', async () => {
  const customer = email();
  const one = await placed((await reviewed({ email: customer })).known);
  const two = await placed((await reviewed({ email: customer })).known);
  await paid(two);
  await sent(two);
  await paid(one);
  await world.pass(24 * 60 + 1);
  assert.equal(await state(one), 'holding');
  await world.pass(60);
  await world.db.tx((tx) =>
    actOnOrder(tx, world.deps.sender, { number: one.number, action: 'release', by: 'olga', reason: 'a test' }),
  );
  assert.deepEqual((await late(one)).minutes, 0);
});

test('orders count by their account holder; another’s orders with the typed address don’t', async () => {
  const own = { id: newId(), email: email(), isEmailVerified: true };
  await world.db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at)
     values ($1, $2, $2, clock_now(), 'en', clock_now())`,
    [own.id, own.email],
  );
  await writeHolderMacs(world.db);
  await placed((await reviewed({ email: own.email })).known);
  const first = await reviewed({ own });
  assert.equal(first.hasWait, false);
  await placed(first.known);
  assert.equal((await reviewed({ own, email: email() })).hasWait, true);
});

test('orders of a verified mailbox count apart from others’ orders with its typed address, but count for those', async () => {
  const address = email();
  const other = await placed((await reviewed({ email: address })).known);
  const own = await reviewed({ email: address });
  assert.equal(own.hasWait, true, 'only typed: the other one is open');
  await shown(own.known);
  assert.equal(await reviewAgain(own.known), false);
  const order = await placed(own.known);
  await paid(other);
  await sent(other);
  await paid(order);
  await sent(order);
  const again = await reviewed({ email: address });
  await shown(again.known);
  assert.equal(await reviewAgain(again.known), true, 'their own order was paid out');
  // By then the typed order of the day before is over.
  await world.pass(24 * 60 + 1);
  const next = await reviewed({ email: address });
  await shown(next.known);
  await placed(next.known);
  assert.equal((await reviewed({ email: address })).hasWait, true, 'who types it has the reader’s counted');
});

test('an order that its customer overpaid beyond the limit earns nothing; market moves don’t count', async () => {
  await put({ 'exchange.auto_order_usd': '451', 'exchange.auto_customer_day_usd': '10000' });
  const order = await placed((await reviewed({ email: email() })).known);
  world.pay(order, '0.00505');
  await world.mine();
  assert.equal(await state(order), 'approving');
  await world.pass(120);
  await approved(order);
  await sent(order);
  assert.deepEqual(await late(order), { minutes: 0, coupons: 0 });
  const moved = await placed((await reviewed({ email: email(), from: 'USDT_ERC20', amount: '450' })).known);
  world.pay(moved);
  await world.price('92000');
  await world.mine(70);
  assert.equal(await state(moved), 'approving');
  await world.price('90000');
  await world.pass(30);
  await approved(moved);
  await sent(moved);
  const { minutes, coupons } = await late(moved);
  assert.ok(minutes >= 29 && coupons === 1, `${minutes} min, ${coupons} coupons`);
});

test('an approval by a desk-wide limit is not announced, and the clock runs', async () => {
  await put({ 'exchange.auto_desk_hour_usd': '700' });
  const one = await placed((await reviewed({ email: email() })).known);
  await paid(one);
  await sent(one);
  const second = await reviewed({ email: email() });
  assert.equal(second.hasWait, false);
  const two = await placed(second.known);
  await paid(two);
  assert.equal(await state(two), 'approving');
  await world.pass(30);
  await approved(two);
  await sent(two);
  const { minutes, coupons } = await late(two);
  assert.ok(minutes >= 29 && coupons === 1, `${minutes} min, ${coupons} coupons`);
});

test('beyond both limits the customer’s own one counts', async () => {
  await put({ 'exchange.auto_desk_hour_usd': '700' });
  const customer = email();
  const one = await placed((await reviewed({ email: customer })).known);
  const two = await placed((await reviewed({ email: customer })).known);
  await paid(one);
  await sent(one);
  await paid(two);
  await world.pass(30);
  await approved(two);
  await sent(two);
  assert.deepEqual(await late(two), { minutes: 0, coupons: 0 });
});

test('an order that ended unpaid doesn’t count, and earns nothing if paid late after all', async () => {
  const customer = email();
  const one = await placed((await reviewed({ email: customer })).known);
  await world.pass(16);
  assert.equal(await state(one), 'expired');
  const second = await reviewed({ email: customer });
  assert.equal(second.hasWait, false);
  const two = await placed(second.known);
  await paid(two);
  await sent(two);
  await paid(one);
  await world.pass(5);
  assert.equal(await state(one), 'approving');
  await world.pass(120);
  await approved(one);
  await sent(one);
  assert.deepEqual(await late(one), { minutes: 0, coupons: 0 });
});

test('an order beyond the limits of its customer’s wallet is announced, too, and earns nothing', async () => {
  const own = { id: newId(), email: email(), isEmailVerified: true };
  await world.db.tx(async (tx) => {
    await tx.run(
      `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at)
       values ($1, $2, $2, clock_now(), 'en', clock_now())`,
      [own.id, own.email],
    );
    await writeHolderMacs(tx);
    await setLevel(tx, own.id, 3, 'test');
    const legs = [leg(accounts.custody('USDT_ERC20', 'hot', 'USDT'), accounts.wallet(own.id, 'USDT'), 2_000_000_000n)];
    await post(tx, [{ id: newId(), kind: 'deposit', cause: newId(), legs }]);
  });
  await put({ 'exchange.auto_customer_day_usd': '10000' });
  const visitor = { locale: 'en', device: 'a wallet’s' } as const;
  const fromWallet = async (amount: string) => {
    const request = { from: 'USDT_ERC20', to: 'BTC', amount, side: 'give', wallet: 'give' } as const;
    const { id, token = '' } = await step1(calculating(), request, visitor, own);
    const receive = { ...world.rails.BTC.receiver() };
    const given = { id, token, email: own.email, receive, refund: {}, terms_accepted: true, ask_me: false } as const;
    await step2(calculating(), given, visitor, own);
    return { id, token, waits: await reviewAgain({ id, token }, own) };
  };
  assert.equal((await fromWallet('400')).waits, false);
  const { waits, ...known } = await fromWallet('600');
  assert.equal(waits, true, 'above what leaves a wallet by itself');
  const session = { holderId: own.id, sessionId: 'a session' };
  const otp = await world.db.tx((tx) => makeCode(tx, { purpose: 'money_out', subject: `${own.id} a session ${known.id}` }));
  const order = await placeOrder(world.deps, { ...known, ...session, otp });
  assert.equal(await state(order), 'approving');
  await world.pass(120);
  await approved(order);
  await sent(order);
  assert.deepEqual(await late(order), { minutes: 0, coupons: 0 });
});
