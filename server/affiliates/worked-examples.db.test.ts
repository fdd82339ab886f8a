// Two worked examples of discounts and rewards, to the last posting: a fixed coupon on a reversible payment, and a percentage on
// an irreversible one. Their customers have a level of 10 %, and were referred by ann, whom bob referred. Ann's share is 30 %,
// half of which goes to her friends.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { format, money, parse } from '@kurs/money';
import { writeHolderMacs } from '../auth/testing.ts';
import { alone } from '../collecting/index.ts';
import { setLevel } from '../compliance/index.ts';
import { couponCheck, findCoupon } from '../coupons/index.ts';
import { makePlain } from '../coupons/testing.ts';
import { accounts, balance, verify } from '../ledger/index.ts';
import { onlyBalances } from '../ledger/testing.ts';
import { countTurnover } from '../loyalty/index.ts';
import { paymentsCheck } from '../payments/index.ts';
import { type SettingsWatch, newId, outbox, putSetting, watchSettings } from '../platform/index.ts';
import { fundPot, potCheck } from '../pots/index.ts';
import { saveRailCost } from '../pricing/index.ts';
import { type StoredOrder, orderCheck } from '../exchange/index.ts';
import { type World, openWorld } from '../exchange/testing.ts';
import { storeCampaign } from '../referrals/index.ts';
import { affiliateOrders } from './apply-orders.ts';
import { affiliateCheck } from './check-books.ts';
import { toWallet } from './take-out.ts';
import { matureDue } from './work.ts';

const WIDE = { per_order: '5000', day: '50000', month: '500000' };
const OWN = { id: newId(), email: 'good@example.org', isEmailVerified: true };
const OTHER = { id: newId(), email: 'other@example.org', isEmailVerified: true };
const [ANN, BOB] = [newId(), newId()];
const orders = affiliateOrders('Kurs');
let ref: string;
let world: World;
let settings: SettingsWatch;

before(async () => {
  world = await openWorld({ hasPaypal: true });
  settings = await watchSettings(world.db);
  await world.db.tx(async (tx) => {
    await putSetting(tx, 'compliance.reversible_windows', { new: WIDE, known: WIDE, full: WIDE }, 'test');
    await putSetting(tx, 'compliance.exposure_usd', '20000', 'test');
    await countTurnover(tx, [{ email: OWN.email, cents: 600_000n, completedAt: tx.now }]);
    await saveRailCost(tx, { currency: 'PAYPAL_USD', side: 'payin', percent: '3.49', fixed: '0.49' }, 'test');
    await tx.run(`insert into network_cost (currency, fuel, parts, at) values ('PAYPAL_USD', 'PAYPAL_USD', 0, now())`);
    await tx.run(`update network_cost set parts = 1500000000000000 where currency = 'USDT_ERC20'`);
    await putSetting(tx, 'affiliates.least_usd', '0.1', 'test');
    for (const [id, email, by] of [
      [OWN.id, OWN.email, null],
      [OTHER.id, OTHER.email, null],
      [BOB, 'bob@example.org', null],
      [ANN, 'ann@example.org', BOB],
    ] as const)
      await tx.run(
        `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at, referred_by)
         values ($1, $2, $2, clock_now(), 'en', clock_now(), $3)`,
        [id, email, by],
      );
    await writeHolderMacs(tx);
    await setLevel(tx, OWN.id, 3, 'test');
    await storeCampaign(tx, ANN, { name: 'blog', split: 50, postback: undefined, maxSplit: 50 });
    const row = await tx.row<{ code: string }>('select referral_code as code from account_holder where id = $1', [ANN]);
    ref = `${row?.code}.blog`;
  });
  await settings.refresh();
  await outbox.subscribe(world.db, [orders]);
  await alone(world.db, async (unit) =>
    unit.post(await fundPot(unit.tx, { id: newId(), pot: 'affiliate', parts: usdt('5000'), isBack: false })),
  );
  await world.price('80000');
  await alone(world.db, async (unit) =>
    unit.post(await fundPot(unit.tx, { id: newId(), pot: 'late', parts: usdt('1000'), isBack: false })),
  );
  await alone(world.db, async (unit) => {
    const thirty = { kind: 'fixed', code: 'THIRTY', percent: undefined, value: usdt('30'), max: usdt('30') } as const;
    const forty = { kind: 'percent', code: 'FORTY', percent: '40', value: undefined, max: usdt('99') } as const;
    for (const journal of await makePlain(unit.tx, thirty, forty)) unit.post(journal);
  });
});
after(async () => {
  await settings.stop();
  await world.close();
});

const usdt = (amount: string): bigint => parse('USDT', amount).parts;

/** Returns the postings of an order and its payments, one leg per line, in sequence. */
async function postings({ view }: StoredOrder): Promise<string[]> {
  const rows = await world.db.rows<{ source: string; target: string; parts: string; unit: string }>(
    `select source.name as source, target.name as target, parts::text as parts, source.unit as unit
     from posting join account source on source.id = from_id join account target on target.id = to_id
     where cause = any ($1) order by posting.at, journal, leg`,
    [[view.id, ...view.payments.map(({ id }) => id)]],
  );
  const called = (name: string): string =>
    name
      .replace(`:${view.id}`, '')
      .replace(/^(payout|coupon):[\w-]{36}/, '$1')
      .replace(/:(BTC|USDT|PAYPAL_USD|ETH)$/, '')
      .replace(/^custody:\w+:/, 'custody:');
  return rows.map(
    ({ source, target, parts, unit }) =>
      `${called(source)} → ${called(target)} ${format(money(unit as 'BTC', BigInt(parts)))} ${unit}`,
  );
}

const linesOf = ({ view }: StoredOrder): [string, bigint][] =>
  (view.facts.exchange?.components ?? []).map(({ code, amount }) => [code, amount]);

/** Returns the postings of an order's rewards, one leg per line, by holder, after its events are handled. */
async function rewards({ view }: StoredOrder): Promise<string[]> {
  await outbox.drain(world.db, orders);
  const rows = await world.db.rows<{ source: string; target: string; parts: string; of: string }>(
    `select source.name as source, target.name as target, posting.parts::text as parts, holder_id as of
     from posting join account source on source.id = from_id join account target on target.id = to_id
     join reward on reward.id = cause where order_id = $1 order by posting.at, tier, leg`,
    [view.id],
  );
  const called = (name: string): string =>
    name
      .replace(/:USDT$/, '')
      .replaceAll(ANN, 'A')
      .replaceAll(BOB, 'B');
  return rows.map(({ source, target, parts }) => `${called(source)} → ${called(target)} ${format(money('USDT', BigInt(parts)))}`);
}

/** Takes its payment back. */
async function takeBack(order: StoredOrder): Promise<void> {
  const [payment] = (await world.order(order)).view.payments;
  await world.reportPayin(order, payment?.id ?? '', 'reversed', { parts: String(payment?.parts), reason: 'reorg' });
}
/** Days pass, and due rewards mature. */
async function days(count: number): Promise<void> {
  await world.pass(count * 24 * 60);
  await matureDue(world.db);
}

async function booksAreRight(): Promise<void> {
  const others = [paymentsCheck, orderCheck].map(onlyBalances);
  assert.deepEqual((await verify(world.db, { checks: [...others, potCheck, couponCheck, affiliateCheck] })).faults, []);
}

test('1 000 by PayPal with a fixed coupon of 30: 20 are taken of it, and 10 stay with the use', async () => {
  const paypal = world.paypal ?? assert.fail();
  paypal.world.keeps = 3_539n;
  const order = await world.place({ from: 'PAYPAL_USD', amount: '1000', own: OWN, ref, coupon: 'THIRTY' });
  world.pay(order, undefined, { from: [`account of ${OWN.email}`] });
  await world.mine(70);
  const exchanged = await world.order(order);
  assert.equal(exchanged.view.state, 'approving', 'it waits for as long as PayPal may take it back');
  assert.deepEqual(linesOf(exchanged), [
    ['fee', 5_000n],
    ['coupon', 2_000n],
    ['loyalty', 500n],
    ['payin', 3_539n],
    ['network', 450n],
  ]);
  await world.pass(73 * 60);
  for (let turn = 0; turn < 4; turn += 1) await world.mine(8);
  const done = await world.order(order);
  assert.equal(done.view.state, 'completed');
  assert.deepEqual(await postings(done), [
    'desk:free → order:reserve 935.110000 USDT',
    'custody:hot → order:in 1000.00 PAYPAL_USD',
    'order:in → income:spread 50.00 PAYPAL_USD',
    'spent:discount → order:in 20.00 PAYPAL_USD',
    'spent:discount → order:in 5.00 PAYPAL_USD',
    'order:in → income:fee 35.39 PAYPAL_USD',
    'order:in → income:fee 4.50 PAYPAL_USD',
    'order:in → desk:free 935.11 PAYPAL_USD',
    'income:spread → provision:reversal 10.00 PAYPAL_USD',
    'order:reserve → order:out 935.110000 USDT',
    'coupon → desk:free 20.000000 USDT',
    'spent:rail → custody:hot 35.39 PAYPAL_USD',
    'order:out → payout 935.110000 USDT',
    'payout → custody:hot 935.110000 USDT',
  ]);
  const coupon = await findCoupon(world.db, 'THIRTY');
  assert.deepEqual([coupon?.state, coupon?.budget], ['live', usdt('10')]);
  const earned = ['promo:affiliate → affiliate:A:pending 4.500000', 'promo:affiliate → affiliate:B:pending 0.750000'];
  assert.deepEqual(await rewards(done), earned);
  await booksAreRight();
  await days(40);
  await takeBack(done);
  const back = ['affiliate:A:pending → promo:affiliate 4.500000', 'affiliate:B:pending → promo:affiliate 0.750000'];
  assert.deepEqual(await rewards(done), [...earned, ...back]);
  await booksAreRight();
});

test('0.0125 BTC at 80 000 with a coupon of 40 %: the friend’s discount trims it, and of 5.00 the desk keeps 1.87', async () => {
  await world.db.tx((tx) => countTurnover(tx, [{ email: OTHER.email, cents: 600_000n, completedAt: tx.now }]));
  const order = await world.place({ from: 'BTC', amount: '0.0125', own: OTHER, ref, coupon: 'FORTY' });
  world.pay(order);
  for (const blocks of [1, 70, 70]) await world.mine(blocks);
  const done = await world.order(order);
  assert.equal(done.view.state, 'completed');
  assert.deepEqual(linesOf(done), [
    ['fee', 6_250n],
    ['coupon', 2_032n],
    ['friend', 468n],
    ['loyalty', 625n],
    ['network', 5_625n],
  ]);
  assert.deepEqual(await postings(done), [
    'desk:free → order:reserve 993.000000 USDT',
    'custody:hot → order:in 0.01250000 BTC',
    'order:in → income:spread 0.00006250 BTC',
    'spent:discount → order:in 0.00002032 BTC',
    'spent:discount → order:in 0.00000468 BTC',
    'spent:discount → order:in 0.00000625 BTC',
    'order:in → income:fee 0.00005625 BTC',
    'order:in → desk:free 0.01241250 BTC',
    'order:reserve → order:out 993.000000 USDT',
    'order:out → payout 993.000000 USDT',
    'payout → custody:hot 993.000000 USDT',
  ]);
  const earned = ['promo:affiliate → affiliate:A:pending 0.487920', 'promo:affiliate → affiliate:B:pending 0.143720'];
  assert.deepEqual(await rewards(done), earned);
  await days(7);
  const matured = [
    'affiliate:A:pending → affiliate:A:available 0.487920',
    'affiliate:B:pending → affiliate:B:available 0.143720',
  ];
  assert.deepEqual(await rewards(done), [...earned, ...matured]);
  await booksAreRight();
  await toWallet(world.db, ANN, undefined);
  assert.equal(await balance(world.db, accounts.wallet(ANN, 'USDT')), 487_920n);
  await takeBack(done);
  assert.deepEqual((await rewards(done)).slice(4), [
    'receivable:affiliate_A → promo:affiliate 0.487920',
    'affiliate:B:available → promo:affiliate 0.143720',
  ]);
  await booksAreRight();
});
