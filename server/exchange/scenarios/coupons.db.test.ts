// Coupons during an order: held at the placing, spent by the exchange, free if the order comes to nothing; and their bookings.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem, routes } from '@kurs/contract';
import { parse } from '@kurs/money';
import { alone } from '../../collecting/index.ts';
import {
  type Coupon,
  type CouponsWanted,
  askCoupon,
  couponCheck,
  endCoupons,
  findCoupon,
  holdUse,
  moveUses,
  stopCoupon,
} from '../../coupons/index.ts';
import { makePlain } from '../../coupons/testing.ts';
import { accounts, balance, verify } from '../../ledger/index.ts';
import { onlyBalances } from '../../ledger/testing.ts';
import { paymentsCheck } from '../../payments/index.ts';
import { type SettingsWatch, type Tx, newId, putSetting, watchSettings } from '../../platform/index.ts';
import { apart, counting, freely, grownPages, pagesOf } from '../../platform/testing.ts';
import { fundPot, potCheck } from '../../pots/index.ts';
import { cancelOrder } from '../actions/cancel-order.ts';
import { choose, withOffer } from '../actions/choose.ts';
import { placeOrder } from '../actions/place-order.ts';
import { checkCoupon, quoteFor } from '../calculation/discounts/caller-prices.ts';
import { type Trying, openTrying } from '../calculation/discounts/trying-code.ts';
import { orderPriceWire } from '../wire/price-wire.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { orderCheck } from '../proof/check-books.ts';
import { type World, openWorld } from './world.testing.ts';

const usd = (amount: string) => parse('USDT', amount).parts;
const SLUG = 'btc-usdt-erc20';
let world: World;
let settings: SettingsWatch;

before(async () => {
  world = await openWorld();
  settings = await watchSettings(world.db);
  await alone(world.db, async (unit) => {
    unit.post(await fundPot(unit.tx, { id: newId(), pot: 'late', parts: usd('1000'), isBack: false }));
  });
});
after(async () => {
  await settings.stop();
  await world.close();
});

async function make(wanted: Partial<CouponsWanted> & { readonly code: string }): Promise<void> {
  const kind = wanted.value === undefined ? 'percent' : 'fixed';
  const uses = wanted.uses ?? 1;
  const max = wanted.max ?? (wanted.value === undefined ? usd('99') : wanted.value * BigInt(uses));
  const percent = kind === 'percent' ? '40' : undefined;
  await alone(world.db, async (unit) => {
    const whole = { kind, percent, value: undefined, uses, max, ...wanted } as const;
    for (const journal of await makePlain(unit.tx, whole)) unit.post(journal);
  });
}
const coupon = async (code: string): Promise<Coupon> => (await findCoupon(world.db, code)) ?? assert.fail(code);
const inCoupon = async (code: string) => balance(world.db, accounts.coupon((await coupon(code)).id, 'USDT'));
const inPot = () => balance(world.db, accounts.promo('late', 'USDT'));
const refuses = (work: Promise<unknown>, code: string): Promise<void> =>
  assert.rejects(work, (error: Problem) => error.code === code);
/** Sets the sum above which payouts need approval. */
async function peopleAbove(sum: string): Promise<void> {
  await world.db.tx((tx) => putSetting(tx, 'exchange.auto_order_usd', sum, 'test'));
  await settings.refresh();
}
async function booksAreRight(): Promise<void> {
  const others = [paymentsCheck, orderCheck].map(onlyBalances);
  assert.deepEqual((await verify(world.db, { checks: [...others, potCheck, couponCheck] })).faults, []);
}

test('a percent coupon is held, spent and counted; it is a line of the price with its posting', async () => {
  await make({ code: 'SPRING', uses: 2 });
  const order = await world.place({ coupon: 'spring', email: 'spring@example.org' });
  const [line] = orderPriceWire(order.view).discounts ?? [];
  assert.deepEqual(line, { code: 'coupon', amount: '0.00001000', currency: 'BTC' });
  const held = await coupon('SPRING');
  assert.deepEqual([held.taken, held.held > 0n, held.budget], [1, true, usd('99')]);
  const spent = await balance(world.db, accounts.spent('discount', 'BTC'));
  world.pay(order);
  for (let turns = 0; turns < 2; turns += 1) await world.mine(70);
  const { view } = await world.order(order);
  assert.equal(view.state, 'completed');
  const taken = view.facts.exchange?.coupons?.[0]?.parts ?? assert.fail('nothing was taken');
  assert.equal(taken, held.held);
  const after = await coupon('SPRING');
  assert.deepEqual([after.taken, after.held, after.budget], [1, 0n, usd('99') - taken]);
  assert.equal((await balance(world.db, accounts.spent('discount', 'BTC'))) - spent, 1_000n);
  await booksAreRight();
});

test('the same customer uses a coupon once; another may use it, too', async () => {
  await refuses(world.place({ coupon: 'SPRING', email: 'Spring@example.org' }), 'coupon_not_yours');
  const other = await world.place({ coupon: 'SPRING' });
  await refuses(world.place({ coupon: 'SPRING' }), 'coupon_over');
  await cancelOrder(world.deps, { id: other.number, token: world.token(other) });
  assert.deepEqual([(await coupon('SPRING')).taken, (await coupon('SPRING')).held], [1, 0n], 'what ended is free');
});

test('a fixed coupon pays from its reserved sum; its customer uses the rest on a second order', async () => {
  const had = await inPot();
  await make({ code: 'GIFT-2', value: usd('2') });
  assert.deepEqual([await inPot(), await inCoupon('GIFT-2')], [had - usd('2'), usd('2')]);
  const email = 'gifted@example.org';
  const first = await world.place({ coupon: 'GIFT-2', email });
  world.pay(first);
  await world.mine(70);
  const taken = (await world.order(first)).view.facts.exchange?.coupons?.[0]?.parts ?? 0n;
  assert.ok(taken > usd('1') && taken < usd('1.2'), String(taken));
  assert.equal(await inCoupon('GIFT-2'), usd('2') - taken);
  assert.equal((await coupon('GIFT-2')).state, 'live');
  await booksAreRight();
  await refuses(world.place({ coupon: 'GIFT-2' }), 'coupon_over');
  const second = await world.place({ coupon: 'GIFT-2', email });
  world.pay(second);
  await world.mine(70);
  assert.equal((await coupon('GIFT-2')).state, 'over');
  const rest = usd('2') - taken - ((await world.order(second)).view.facts.exchange?.coupons?.[0]?.parts ?? 0n);
  assert.ok(rest < 10_000n, String(rest));
  assert.deepEqual([await inCoupon('GIFT-2'), await inPot()], [0n, had - usd('2') + rest]);
  await booksAreRight();
});

test('a reversed exchange returns its use and money, once; a stopped coupon’s money goes to the pot', async () => {
  await make({ code: 'BACK-2', value: usd('2') });
  const pot = await inPot();
  await peopleAbove('1');
  const order = await world.place({ coupon: 'BACK-2' });
  world.pay(order);
  await world.mine(70);
  assert.ok((await inCoupon('BACK-2')) < usd('2'));
  const { payments } = (await world.order(order)).view;
  await alone(world.db, async (unit) => unit.post(await stopCoupon(unit.tx, 'BACK-2', newId())));
  const [payment] = payments;
  await world.reportPayin(order, payment?.id ?? '', 'reversed', { parts: String(payment?.parts) });
  const { view } = await world.order(order);
  await peopleAbove('3000');
  assert.equal(view.facts.exchange, undefined, view.state);
  assert.deepEqual([await inCoupon('BACK-2'), await inPot()], [0n, pot + usd('2')]);
  assert.deepEqual([(await coupon('BACK-2')).taken, (await coupon('BACK-2')).fromPot], [0, 0n]);
  await booksAreRight();
});

/** Returns an order that is paid after its lock, which frees its use; `between` runs before the payment. */
async function paidLate(code: string, between: () => Promise<unknown>, email = `${code}@example.org`): Promise<StoredOrder> {
  const order = await world.place({ coupon: code, email });
  await world.pass(16);
  assert.equal((await coupon(code)).taken, 0);
  await between();
  world.pay(order);
  for (const blocks of [1, 70, 70]) await world.mine(blocks);
  const paid = await world.order(order);
  assert.ok(paid.view.facts.isLate && paid.view.facts.exchange, paid.view.state);
  await booksAreRight();
  return paid;
}
const takenBy = ({ view }: StoredOrder): bigint | undefined => view.facts.exchange?.coupons?.[0]?.parts;
const ofCoupon = ({ view }: StoredOrder) => view.facts.exchange?.components.find(({ code }) => code === 'coupon')?.amount;

test('a payment after the lock takes the free use again, while one is left', async () => {
  await make({ code: 'LATE-PAY' });
  const again = await paidLate('LATE-PAY', async () => {});
  assert.ok((takenBy(again) ?? 0n) > 0n && ofCoupon(again) === 1_000n, String(ofCoupon(again)));
  assert.deepEqual(
    [(await coupon('LATE-PAY')).taken, (await coupon('LATE-PAY')).budget],
    [1, usd('99') - (takenBy(again) ?? 0n)],
  );

  await make({ code: 'LATE-FIX', value: usd('2') });
  const fixed = await paidLate('LATE-FIX', async () => {});
  assert.equal(await inCoupon('LATE-FIX'), usd('2') - (takenBy(fixed) ?? 0n));

  await make({ code: 'LATE-OUT' });
  const without = await paidLate('LATE-OUT', async () => {
    await world.place({ coupon: 'LATE-OUT' });
  });
  assert.deepEqual([takenBy(without), ofCoupon(without)], [undefined, undefined], 'another order has the last one');
  await make({ code: 'LATE-TWICE', uses: 2 });
  const twice = await paidLate(
    'LATE-TWICE',
    async () => {
      await world.place({ coupon: 'LATE-TWICE', email: 'twice@example.org' });
    },
    'Twice@example.org',
  );
  assert.equal(ofCoupon(twice), undefined, 'its customer has used theirs on another order');
  await make({ code: 'LATE-STOP' });
  const stopped = await paidLate('LATE-STOP', () =>
    alone(world.db, async (unit) => unit.post(await stopCoupon(unit.tx, 'LATE-STOP', newId()))),
  );
  assert.equal(ofCoupon(stopped), undefined);
});

test('an overpayment gets no part of the coupon: the use stays spent, whatever happens to it', async () => {
  await make({ code: 'TOO-MUCH-PAID' });
  const order = await world.place({ coupon: 'TOO-MUCH-PAID' });
  world.pay(order, '0.02');
  for (const blocks of [1, 70, 70]) await world.mine(blocks);
  const beyond = (await world.unallocatedPayments(order))[0] ?? assert.fail();
  assert.equal(beyond.view.state, 'choosing');
  await world.pass(73 * 60);
  for (const blocks of [1, 70, 70]) await world.mine(blocks);
  assert.equal((await world.order(beyond)).view.state, 'refunded');
  assert.equal((await coupon('TOO-MUCH-PAID')).taken, 1);
  await booksAreRight();
});

test('an offer that counts on a use is valid as long as that is left', async () => {
  await make({ code: 'OFFERED' });
  const order = await world.place({ coupon: 'OFFERED', askMe: true });
  await world.pass(16);
  world.pay(order);
  for (const blocks of [1, 70]) await world.mine(blocks);
  const key = { id: order.number, token: world.token(order) };
  const offered = await withOffer(world.deps, await world.order(order));
  const offer = offered.view.facts.offer ?? assert.fail(offered.view.state);
  assert.ok(offer.breakdown.components.some(({ code }) => code === 'coupon'));
  const other = await world.place({ coupon: 'OFFERED' });
  const choice = { ...key, choice: 'continue', offer: offer.number } as const;
  await refuses(choose(world.deps, choice), 'offer_expired');
  await cancelOrder(world.deps, { id: other.number, token: world.token(other) });
  assert.ok(takenBy(await choose(world.deps, choice)));
  await booksAreRight();
});

test('a hundred race for the last use: one gets it', async () => {
  await make({ code: 'LAST-ONE' });
  const claimant = (n: number) => ({
    ...{ emailKey: `racer${n}@example.org`, holderId: undefined, keys: [`email:racer${n}@example.org`] },
    hasOrdered: async () => false,
  });
  const race = await Promise.allSettled(
    Array.from({ length: 100 }, (_, n) =>
      untilThereIsRoom(async (tx) => {
        const request = await askCoupon(tx, 'last-one', { direction: SLUG, now: tx.now, claimant: claimant(n) });
        return holdUse(tx, {
          owner: { kind: 'order', id: newId() },
          request,
          claimant: claimant(n),
          needed: usd('1'),
        });
      }),
    ),
  );
  const [done, not] = [race.filter(({ status }) => status === 'fulfilled'), race.filter(({ status }) => status === 'rejected')];
  assert.equal(done.length, 1);
  assert.deepEqual(new Set(not.map((one) => ('reason' in one ? (one.reason as Problem).code : ''))), new Set(['coupon_over']));
});

/** A test has few connections, so callers who are told to come back do so. */
async function untilThereIsRoom<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await world.db.tx(work);
    } catch (error) {
      if ((error as Problem).code !== 'unavailable') throw error;
    }
  }
}

test('conditions: direction, least amount, window, a bound address, a first order', async () => {
  await make({ code: 'OTHER-WAY', directions: ['usdt-erc20-btc'] });
  await make({ code: 'LARGE', min: usd('500') });
  await make({ code: 'ENDED', endsAt: new Date((await world.db.now()).getTime() + 1_000) });
  await make({ code: 'BOUND', emailKey: 'own@example.org' });
  await make({ code: 'FIRST', isFirstOnly: true, uses: 5 });
  await world.pass(1);
  const saysWhere = (coupon: string, where: string): Promise<void> =>
    assert.rejects(world.place({ coupon }), new Problem('coupon_not_here', { params: { where } }));
  await saysWhere('OTHER-WAY', 'USDT ERC20 → BTC');
  await saysWhere('LARGE', '≥ 500 USD');
  await refuses(world.place({ coupon: 'ENDED' }), 'coupon_over');
  await refuses(world.place({ coupon: 'BOUND' }), 'coupon_not_yours');
  await refuses(world.place({ coupon: 'FIRST', email: 'gifted@example.org' }), 'coupon_not_yours');
  await refuses(world.place({ coupon: 'NOBODYS' }), 'coupon_unknown');
  await refuses(world.place({ coupon: 'x' }), 'coupon_unknown');
  assert.ok((await world.place({ coupon: 'BOUND', email: 'Own@example.org' })).view.pinned.coupons);
  assert.ok((await world.place({ coupon: 'FIRST' })).view.pinned.coupons);
  await alone(world.db, async (unit) => {
    for (const journal of await endCoupons(unit.tx)) unit.post(journal);
  });
  assert.equal((await coupon('ENDED')).state, 'over');
  await booksAreRight();
});

test('all conditions are checked again at the placing', async () => {
  await make({ code: 'STOPPED' });
  const calculation = await world.calculate({ coupon: 'STOPPED' });
  await alone(world.db, async (unit) => unit.post(await stopCoupon(unit.tx, 'STOPPED', newId())));
  await refuses(placeOrder(world.deps, calculation), 'coupon_over');
});

test('fixed coupons leave the money reserved for late coupons', async () => {
  await refuses(make({ code: 'TOO-MUCH', value: usd('600') }), 'pot_too_small');
});

const ask = { from: 'BTC', to: 'USDT_ERC20', amount: '0.01', side: 'give' } as const;

test('a check names the coupon’s discount; a quote without a code queries no database', async () => {
  await make({ code: 'CHECKED', min: usd('100') });
  const caller = { db: world.db, user: undefined };
  assert.deepEqual(await checkCoupon(caller, { ...ask, code: 'checked' }), {
    ...{ kind: 'percent', percent: '40', takes_off: { amount: '0.00002000', currency: 'BTC' } },
    conditions: { least_usd: '100.00', first_order: false, uses_per_customer: 1 },
  });
  const nothing = new Proxy({}, { get: () => assert.fail('the database was asked') });
  const plain = await quoteFor({ db: nothing, user: undefined } as never, routes.calculate.input.parse(ask));
  const less = await quoteFor(caller, { ...ask, coupon: 'CHECKED' });
  assert.ok(Number(less.get.amount) > Number(plain.get.amount));
  assert.deepEqual(less.discounts, [{ code: 'coupon', amount: '0.00002000', currency: 'BTC' }]);
});

test('wrong codes are limited, right ones don’t count, and strangers in its network block no account', async () => {
  const tryingCode = openTrying();
  const here = { user: undefined, ip: '203.0.113.5', deviceKey: 'one' };
  const visitor: Trying = { ...here, ...counting() };
  const tries = (code: string, context = visitor) =>
    tryingCode(context, code, () => quoteFor({ db: world.db, user: undefined }, { ...ask, coupon: code }));
  await Promise.all(Array.from({ length: 50 }, () => tries('CHECKED')));
  for (let n = 0; n < 20; n += 1) await refuses(tries('WRONG-ONE'), 'coupon_unknown');
  await refuses(tries('WRONG-ONE'), 'rate_limited');
  await refuses(tries('CHECKED'), 'rate_limited');
  const ann = { ...visitor, user: { id: newId(), email: 'ann@example.org', isEmailVerified: true, sessionId: newId() } };
  const codes = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      tries(n < 40 ? 'WRONG-ONE' : 'CHECKED', ann).then(
        () => 'done',
        ({ code }: Problem) => code,
      ),
    ),
  );
  const count = (code: string): number => codes.filter((one) => one === code).length;
  assert.deepEqual(
    [count('coupon_unknown'), count('done')],
    [20, 0],
    'at once, too: after twenty wrong ones no right one is told',
  );
  await refuses(tries('WRONG-ONE', ann), 'rate_limited');
  await tries('CHECKED', { ...ann, user: { ...ann.user, id: newId() } });
  // This network has 40 wrong codes so far, 20 of them by one account. Its other accounts and its visitors share the rest.
  const another = (): Trying => ({ ...ann, user: { ...ann.user, id: newId() } });
  for (let n = 0; n < 20; n += 1) await refuses(tries('WRONG-ONE', another()), 'coupon_unknown');
  await refuses(tries('WRONG-ONE', { ...visitor, deviceKey: 'three', limitDevice: counting().limitDevice }), 'rate_limited');
  await tries('CHECKED', another());
  for (let n = 0; n < 20; n += 1) await refuses(tries('WRONG-ONE', another()), 'coupon_unknown');
  await refuses(tries('WRONG-ONE', another()), 'rate_limited');
  await refuses(
    tryingCode({ ...here, deviceKey: 'two', ip: '203.0.113.6', ...freely }, 'x', () =>
      quoteFor({ db: world.db, user: undefined }, { ...ask, coupon: 'x' }),
    ),
    'coupon_unknown',
  );
});

const MANY_USES = `insert into coupon_use (id, coupon_id, owner_kind, owner_id, keys, state, held, rest, at)
  select gen_random_uuid(), $1, 'order', gen_random_uuid(), array['email:' || n, 'device:' || n], 'spent', 1, 1, clock_now()
  from generate_series(1, 20000) as n`;

test('the reads of a use don’t grow with the uses of its coupon', async () => {
  await make({ code: 'EVERYBODYS', value: usd('0.01'), uses: 30_000 });
  const { id } = await coupon('EVERYBODYS');
  const [emailKey, now] = ['one@example.org', await world.db.now()];
  const claimant = { emailKey, holderId: undefined, keys: [`email:${emailKey}`], hasOrdered: async () => false };
  const work = async (own: World['db']): Promise<void> => {
    await askCoupon(own, 'EVERYBODYS', { direction: SLUG, now });
    await own.tx(async (tx) => {
      const request = await askCoupon(tx, 'EVERYBODYS', { direction: SLUG, now, claimant });
      const use = await holdUse(tx, { owner: { kind: 'order', id: newId() }, request, claimant, needed: usd('0.01') });
      await moveUses(tx, [{ id: use.id, to: 'free', spent: 0n }]);
    });
  };
  const few = await pagesOf(world.db, world.db.url, work);
  await apart(world.db, world.owner.url, async (own) => {
    await own.run(MANY_USES, [id]);
    await own.run('vacuum analyze coupon_use');
  });
  assert.deepEqual(
    grownPages(few, await pagesOf(world.db, world.db.url, work)).filter((one) => one.startsWith('coupon')),
    [],
  );
});
