// A holder's credit during orders: it applies automatically, before a code; switched off it has no effect; a closed account's
// credit goes to the pot of prizes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { parse } from '@kurs/money';
import { writeHolderMacs } from '../../auth/testing.ts';
import { alone } from '../../collecting/index.ts';
import { addCredit, couponCheck, creditOf, giveUpCredit, switchCredit } from '../../coupons/index.ts';
import { makePlain } from '../../coupons/testing.ts';
import { accounts, balance, leg, verify } from '../../ledger/index.ts';
import { onlyBalances } from '../../ledger/testing.ts';
import { paymentsCheck } from '../../payments/index.ts';
import { type SettingsWatch, newId, putSetting, watchSettings } from '../../platform/index.ts';
import { fundPot, potCheck } from '../../pots/index.ts';
import { cancelOrder } from '../actions/cancel-order.ts';
import { placeOrder } from '../actions/place-order.ts';
import { quoteFor } from '../calculation/discounts/caller-prices.ts';
import { bookedOf } from '../order/money/breakdown.ts';
import { orderCheck } from '../proof/check-books.ts';
import { type World, openWorld } from './world.testing.ts';

const usd = (amount: string) => parse('USDT', amount).parts;
const OWN = { id: newId(), email: 'own@example.org', isEmailVerified: true };
/** Prizes that this test's checks don't know. */
let prizes = 0n;
let world: World;
let settings: SettingsWatch;

before(async () => {
  world = await openWorld();
  settings = await watchSettings(world.db);
  await world.db.tx((tx) => putSetting(tx, 'compliance.unpaid_open', 9, 'test'));
  await settings.refresh();
  await world.db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at)
     values ($1, $2, $2, clock_now(), 'en', clock_now())`,
    [OWN.id, OWN.email],
  );
  await writeHolderMacs(world.db);
  await alone(world.db, async (unit) => {
    unit.post(await fundPot(unit.tx, { id: newId(), pot: 'earn', parts: usd('100'), isBack: false }));
  });
});
after(async () => {
  await settings.stop();
  await world.close();
});

/** Wins a prize and turns it into credit. */
async function credit(parts: bigint, holderId = OWN.id): Promise<void> {
  const earn = accounts.earn(holderId, 'USDT');
  prizes += parts;
  await alone(world.db, async (unit) => {
    unit.post({ id: newId(), kind: 'earn', cause: holderId, legs: [leg(accounts.promo('earn', 'USDT'), earn, parts)] });
  });
  await alone(world.db, async (unit) => unit.post(await addCredit(unit.tx, { id: newId(), holderId, parts })));
}
const inPot = () => balance(world.db, accounts.promo('earn', 'USDT'));
const leftOf = async (holderId = OWN.id) => (await creditOf(world.db, holderId))?.left;
/** Checks the books, except for the prizes themselves, which another room checks. */
async function booksAreRight(): Promise<void> {
  const others = [paymentsCheck, orderCheck].map(onlyBalances);
  const taken = { account: accounts.promo('earn', 'USDT'), parts: -prizes, of: 'prizes' };
  const prizeCheck = { accountTypes: ['promo:earn'], causes: [], balances: async () => [taken], faults: async () => [] };
  const checks = [...others, potCheck, couponCheck, onlyBalances(prizeCheck as never)];
  assert.deepEqual((await verify(world.db, { checks })).faults, []);
}
const ASK = { from: 'BTC', to: 'USDT_ERC20', amount: '0.005', side: 'give' } as const;
const linesOf = async (own: typeof OWN | undefined) =>
  (await quoteFor({ db: world.db, user: own as never }, ASK)).discounts?.map(({ code, amount }) => [code, amount]);

test('credit from prizes applies automatically, before a code, and is spent by its discount', async () => {
  await credit(usd('0.30'));
  await credit(usd('0.20'));
  assert.equal(await leftOf(), usd('0.50'));
  // 0.50 USD at 90 000 is 0.00000555 BTC; the fee of 0.5 % is 0.00002500.
  assert.deepEqual(await linesOf(OWN), [['credit', '0.00000555']]);
  assert.equal(await linesOf(undefined), undefined);
  const half = {
    kind: 'percent',
    code: 'HALF',
    percent: '20',
    value: undefined,
    uses: 9,
    perCustomer: 9,
    max: usd('9'),
  } as const;
  await alone(world.db, async (unit) => void (await makePlain(unit.tx, half)));
  const order = await world.place({ own: OWN, coupon: 'HALF' });
  assert.ok(((await leftOf()) ?? 0n) < usd('0.01'), 'held for its order');
  world.pay(order);
  for (const blocks of [1, 70, 70]) await world.mine(blocks);
  const { view } = await world.order(order);
  const codes = bookedOf(view)?.components.flatMap(({ kind, code }) => (kind === 'discount' ? [code] : []));
  assert.deepEqual(codes, ['credit', 'coupon']);
  const taken = view.facts.exchange?.coupons?.find(({ isFunded }) => isFunded)?.parts ?? 0n;
  assert.ok(taken > usd('0.49') && taken <= usd('0.50'), String(taken));
  assert.equal(await leftOf(), usd('0.50') - taken);
  await booksAreRight();
});

test('an ended order returns it; an exchanged one needs it, so a second order at the same time is priced anew', async () => {
  await credit(usd('0.50'));
  const [first, second] = [await world.calculate({ own: OWN }), await world.calculate({ own: OWN })];
  const had = await leftOf();
  const order = await placeOrder(world.deps, { ...first, holderId: OWN.id });
  await assert.rejects(
    placeOrder(world.deps, { ...second, holderId: OWN.id }),
    (error: Problem) => error.code === 'quote_expired',
  );
  await cancelOrder(world.deps, { id: order.number, token: world.token(order) });
  assert.equal(await leftOf(), had);
  // Nobody else places an order with it: if the session is over, the review must be repeated.
  await assert.rejects(placeOrder(world.deps, second), (error: Problem) => error.code === 'quote_expired');
  await placeOrder(world.deps, { ...second, holderId: OWN.id });
  await booksAreRight();
});

test('its holder switches it off and on; nobody else has it', async () => {
  await credit(usd('1'));
  await world.db.tx((tx) => switchCredit(tx, OWN.id, false));
  assert.equal(await linesOf(OWN), undefined);
  assert.equal((await creditOf(world.db, OWN.id))?.isOn, false);
  await world.db.tx((tx) => switchCredit(tx, OWN.id, true));
  assert.equal((await linesOf(OWN))?.length, 1);
  await assert.rejects(
    world.db.tx((tx) => switchCredit(tx, newId(), true)),
    (error: Problem) => error.code === 'not_found',
  );
});

test('a closed account’s rest goes to the pot of prizes, and it gets no more', async () => {
  const [pot, left] = [await inPot(), (await leftOf()) ?? 0n];
  assert.ok(left > 0n);
  await alone(world.db, async (unit) => unit.post(await giveUpCredit(unit.tx, OWN.id)));
  assert.deepEqual([await inPot(), await leftOf()], [pot + left, 0n]);
  await booksAreRight();
  await assert.rejects(credit(usd('1')), (error: Problem) => error.code === 'coupon_over');
});
