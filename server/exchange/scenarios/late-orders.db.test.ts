// An order that takes longer than promised earns a coupon of its fee; its letter names the coupon, and a second order uses it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { writeHolderMacs } from '../../auth/testing.ts';
import { accounts, leg, post } from '../../ledger/index.ts';
import { newId } from '../../platform/index.ts';
import { giveWaiting } from '../apply/give-late.ts';
import { placeOrder } from '../actions/place-order.ts';
import { step1, step2, step3 } from '../calculation/calculate.ts';
import { bookedOf } from '../order/money/breakdown.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { type World, openWorld } from './world.testing.ts';

let world: World;
before(async () => {
  world = await openWorld();
  world.holdSends();
});
after(() => world.close());

const POT = accounts.promo('late', 'USDT');
async function fund(parts: bigint): Promise<void> {
  const id = newId();
  const journal = { id, kind: 'promo_funded', cause: id, legs: [leg(accounts.deskFree('USDT'), POT, parts)] } as const;
  await world.db.tx((tx) => post(tx, [journal]));
}
/** Returns an order that is paid, waits some minutes for us, and is paid out. */
const order = async (minutes: number, email: string): Promise<StoredOrder> => paidLate(await world.place({ email }), minutes);
async function paidLate(placed: StoredOrder, minutes: number): Promise<StoredOrder> {
  world.pay(placed);
  await world.mine();
  await world.pass(minutes);
  for (const event of ['send', 'accepted', 'final'] as const) await world.report(placed, event);
  const done = await world.order(placed);
  assert.equal(done.view.state, 'completed');
  return done;
}
const coupons = (of: StoredOrder): Promise<{ code: string; state: string; max: string }[]> =>
  world.db.rows('select code, state, max::text from coupon where earned_by = $1', [of.view.id]);
const texts = async (of: StoredOrder, kind: string): Promise<string[]> =>
  (await world.mails(of)).flatMap((one) => (one.kind === kind ? [one.text] : []));

test('an order that took as long as promised earns nothing', async () => {
  await fund(100_000_000n);
  assert.deepEqual(await coupons(await order(11, 'intime@example.org')), []);
});

test('an account’s late coupon ends in the account’s time zone, in either letter', async () => {
  const holder = await world.holder(0, 'tokyo@example.org');
  await world.db.run(`update account_holder set timezone = 'Asia/Tokyo' where id = $1`, [holder.id]);
  const late = await paidLate(await world.place({ own: holder }), 20);
  const [text = ''] = await texts(late, 'done');
  assert.match(text, /GMT\+9/);
  assert.doesNotMatch(text, /UTC/);
});

test('a late order earns its fee as a coupon; its letter says so, and another order uses it', async () => {
  const late = await order(20, 'late@example.org');
  // A fee of 0.00002500 BTC at 90 000.
  const [coupon] = await coupons(late);
  assert.deepEqual([coupon?.state, coupon?.max], ['live', '2250000']);
  const [text = ''] = await texts(late, 'done');
  assert.ok(text.includes(coupon?.code ?? '?') && text.includes('2.25\u00a0USD'), text);
  const who = { locale: 'en', device: 'another', ip: '198.51.100.9' } as const;
  const made = { ...world.deps, tokens: world.deps.sender.tokens, approvalFor: () => 0, operators: async () => 2 };
  const begun = await step1(made, { from: 'BTC', to: 'USDT_ERC20', amount: '0.005', side: 'give', coupon: coupon?.code }, who);
  const known = { id: begun.id, token: begun.token as string };
  const accountsOf = { receive: { ...world.rails.USDT_ERC20.receiver() }, refund: { ...world.rails.BTC.receiver() } };
  await step2(made, { ...known, email: 'Late+again@example.org', ...accountsOf, terms_accepted: true, ask_me: false }, who);
  const review = await step3(made, { ...known, bot_token: 'sandbox' }, who);
  // Half of the fee.
  assert.deepEqual(review.quote.discounts, [{ code: 'late', amount: '0.00001250', currency: 'BTC' }]);
  const second = await placeOrder(world.deps, known);
  world.pay(second);
  await world.mine();
  assert.equal(bookedOf((await world.order(second)).view)?.components.find(({ code }) => code === 'late')?.amount, 1_250n);
  const [left] = await world.db.rows<{ budget: string }>('select budget::text from coupon where code = $1', [coupon?.code]);
  assert.deepEqual(left, { budget: '1125000' });
  await world.audit();
});

test('a late order with discounts earns the desk’s income: its fee less the discounts', async () => {
  const [coupon] = await coupons(await order(20, 'discounted@example.org'));
  const placed = await world.place({ email: 'discounted@example.org', coupon: coupon?.code ?? '' });
  const done = await paidLate(placed, 20);
  const { components = [] } = bookedOf(done.view) ?? {};
  assert.equal(components.find(({ code }) => code === 'late')?.amount, 1_250n, 'half of the fee of 2 500');
  // 1 250 of the fee are left, 0.00001250 BTC at 90 000.
  assert.deepEqual(
    (await coupons(done)).map(({ max }) => max),
    ['1125000'],
  );
});

test('the coupon is bound to the account’s current address; another’s contact address stays', async () => {
  const own = await world.holder();
  const [other, address] = ['somebody@example.org', `new.${own.email}`];
  const change = (email: string, closed: Date | null = null): Promise<void> =>
    world.db.tx(async (tx) => {
      await tx.run('update account_holder set email = $2, email_key = $2, closed_at = $3 where id = $1', [own.id, email, closed]);
      await writeHolderMacs(tx);
    });
  const waiting = async (...orders: readonly StoredOrder[]): Promise<void> => {
    for (const one of orders) world.pay(one);
    await world.mine(6);
    await world.pass(20);
  };
  const boundTo = async (placed: StoredOrder): Promise<string | undefined> => {
    for (const event of ['send', 'accepted', 'final'] as const) await world.report(placed, event);
    return (await world.db.row<{ email: string }>('select email_key as email from coupon where earned_by = $1', [placed.view.id]))
      ?.email;
  };
  const [mine, others] = [await world.place({ own }), await world.place({ own, email: other })];
  await waiting(mine, others);
  await change(address);
  assert.deepEqual([await boundTo(mine), await boundTo(others)], [address, other]);
  const last = await world.place({ own: { ...own, email: address } });
  await waiting(last);
  await change('closed@account.invalid', await world.db.now());
  assert.equal(await boundTo(last), address, 'a closed account has no address');
});

test('a reversal makes an order’s coupon void', async () => {
  const late = await order(20, 'takenback@example.org');
  const [payment] = late.view.payments;
  await world.reportPayin(late, payment?.id ?? '', 'reversed', { parts: payment?.parts.toString() ?? '', reason: 'reorg' });
  assert.deepEqual(
    (await coupons(late)).map(({ state }) => state),
    ['void'],
  );
  await world.audit();
});

test('a coupon waits while the pot is empty, and gets its own letter once that is filled', async () => {
  await world.db.tx(async (tx) => {
    const id = newId();
    const [row] = await tx.rows<{ parts: string }>('select coalesce(sum(from_pot), 0)::text as parts from coupon');
    const back = 100_000_000n - BigInt(row?.parts ?? '0');
    await post(tx, [{ id, kind: 'promo_funded', cause: id, legs: [leg(POT, accounts.deskFree('USDT'), back)] }]);
  });
  const late = await order(20, 'waits@example.org');
  assert.deepEqual(
    (await coupons(late)).map(({ state }) => state),
    ['waiting'],
  );
  assert.ok(!(await texts(late, 'done')).join('').includes((await coupons(late))[0]?.code ?? '?'));
  assert.equal(await giveWaiting(world.db, world.deps.sender), 0);
  await fund(5_000_000n);
  assert.equal(await giveWaiting(world.db, world.deps.sender), 1);
  const [coupon] = await coupons(late);
  assert.equal(coupon?.state, 'live');
  assert.ok((await texts(late, 'late_coupon')).join('').includes(coupon.code));
  await world.audit();
});
