// Loyalty during an order: a customer's turnover reduces the fee, as a line of the price with its leg.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { writeHolderMacs } from '../../auth/testing.ts';
import { countTurnover, turnoverOf } from '../../loyalty/index.ts';
import { accounts, balances } from '../../ledger/index.ts';
import { placeOrder } from '../actions/place-order.ts';
import { step1, step2, step3 } from '../calculation/calculate.ts';
import { bookedOf } from '../order/money/breakdown.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { type World, openWorld } from './world.testing.ts';

let world: World;
before(async () => {
  world = await openWorld();
});
after(() => world.close());

const OWN = { id: '01890000-0000-7000-8000-000000000001', email: 'own@example.org', isEmailVerified: true };
const deps = () => ({ ...world.deps, tokens: world.deps.sender.tokens, approvalFor: () => 0, operators: async () => 2 });
let visitors = 0;
const visitor = () => {
  visitors += 1;
  return { locale: 'en', device: `device ${visitors}`, ip: `198.51.100.${visitors}` } as const;
};
const count = (email: string, cents: bigint): Promise<void> =>
  world.db.tx((tx) => countTurnover(tx, [{ email, cents, completedAt: tx.now }]));
const REQUESTED = { from: 'BTC', to: 'USDT_ERC20', amount: '0.005', side: 'give' } as const;
/** Takes a visitor's calculation through its three steps; `own`: the signed-in holder in each. */
async function calculate(own?: typeof OWN, email = 'contact@example.org') {
  const [who, made] = [visitor(), deps()];
  const begun = await step1(made, REQUESTED, who, own);
  const known = { id: begun.id, token: begun.token as string };
  const accounts = { receive: { ...world.rails.USDT_ERC20.receiver() }, refund: { ...world.rails.BTC.receiver() } };
  const second = await step2(made, { ...known, email, ...accounts, terms_accepted: true, ask_me: false }, who, own);
  const review = await step3(made, { ...known, bot_token: 'sandbox' }, who, own);
  return { known, begun, second, review };
}
/** Opens the account of the holder, who places orders. */
async function openAccount(): Promise<void> {
  await world.db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at)
     values ($1, $2, $2, clock_now(), 'en', clock_now()) on conflict do nothing`,
    [OWN.id, OWN.email],
  );
  await writeHolderMacs(world.db);
}
async function complete(order: StoredOrder): Promise<StoredOrder> {
  world.pay(order);
  for (const blocks of [1, 70, 70]) await world.mine(blocks);
  const done = await world.order(order);
  assert.equal(done.view.state, 'completed');
  return done;
}

test('a holder’s level applies automatically in each step, and is booked as a line with its leg; a visitor has none', async () => {
  await openAccount();
  await count(OWN.email, 600_000n);
  const { known, begun, second, review } = await calculate(OWN);
  // A tenth of the fee: 0.5 % is 0.00002500.
  for (const { quote } of [begun, second, review])
    assert.deepEqual(quote.discounts, [{ code: 'loyalty', amount: '0.00000250', currency: 'BTC' }]);
  assert.equal((await calculate(undefined, OWN.email)).review.quote.discount, undefined, 'who only types the address has none');
  const order = await complete(await placeOrder(world.deps, { ...known, holderId: OWN.id }));
  const line = bookedOf(order.view)?.components.find(({ code }) => code === 'loyalty');
  assert.deepEqual([line?.account, line?.payer, line?.amount], ['spent:discount', 'desk', 250n]);
  const spent = accounts.spent('discount', 'BTC');
  assert.deepEqual(await balances(world.db, [spent]), [250n]);
  await world.audit();
});

test('completed orders count under the account’s address, else the contact’s, and are deducted while reversed', async () => {
  const before = await turnoverOf(world.db, OWN.email);
  const { known } = await calculate(OWN, 'another.contact@example.org');
  const order = await complete(await placeOrder(world.deps, { ...known, holderId: OWN.id }));
  // 0.005 BTC at 90 000 USD.
  assert.deepEqual([await turnoverOf(world.db, OWN.email), order.usd], [before + 45_000n, 45_000n]);
  assert.equal(await turnoverOf(world.db, 'another.contact@example.org'), 0n);
  const plain = await complete(await world.place({ email: 'visitor+1@example.org' }));
  assert.equal(await turnoverOf(world.db, 'visitor@example.org'), 45_000n);
  const [payment] = plain.view.payments;
  await world.reportPayin(plain, payment?.id ?? '', 'reversed', { parts: payment?.parts.toString() ?? '', reason: 'reorg' });
  assert.equal(await turnoverOf(world.db, 'visitor@example.org'), 0n);
  await world.reportPayin(plain, payment?.id ?? '', 'final', { parts: payment?.parts.toString() ?? '', isBack: true });
  assert.equal(await turnoverOf(world.db, 'visitor@example.org'), 45_000n);
});

test('the discount of the review stays with its order, also at a later rate', async () => {
  const { known, review } = await calculate(OWN);
  await world.db.run('delete from turnover_day');
  const order = await placeOrder(world.deps, { ...known, holderId: OWN.id });
  assert.ok(review.quote.discount);
  await world.pass(20);
  world.pay(order);
  for (const blocks of [1, 70, 70]) await world.mine(blocks);
  const late = await world.order(order);
  const line = bookedOf(late.view)?.components.find(({ code }) => code === 'loyalty');
  assert.equal(line?.amount, 250n, 'paid late, exchanged at the current rate');
});
