// An address that somebody only typed uses up nobody else's coupons: neither a signed-in account holder's, nor those of a visitor
// who has proven to read a mailbox. Between visitors it counts.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { parse } from '@kurs/money';
import { writeHolderMacs } from '../../auth/testing.ts';
import { alone } from '../../collecting/index.ts';
import { findCoupon } from '../../coupons/index.ts';
import { makePlain } from '../../coupons/testing.ts';
import { type SettingsWatch, canonicalEmail, newId, putSetting, watchSettings } from '../../platform/index.ts';
import { fundPot } from '../../pots/index.ts';
import { cancelOrder } from '../actions/cancel-order.ts';
import { choose, withOffer } from '../actions/choose.ts';
import { placeOrder } from '../actions/place-order.ts';
import { step1, step2, step3 } from '../calculation/calculate.ts';
import type { Calculation } from '../calculation/calculation.ts';
import { lockCalculations, saveCalculation } from '../calculation/calculation-store.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { addCoupon, ownDiscounts } from '../views/own-discounts.ts';
import { type World, openWorld } from './world.testing.ts';

const usd = (sum: string): bigint => parse('USDT', sum).parts;
let world: World;
let settings: SettingsWatch;
let count = 0;
const next = (): number => (count += 1);

before(async () => {
  world = await openWorld();
  world.holdSends();
  settings = await watchSettings(world.db);
  await world.db.tx(async (tx) => {
    await putSetting(tx, 'late.day_usd', '1000', 'test');
    await putSetting(tx, 'compliance.unpaid_open', 20, 'test');
  });
  await settings.refresh();
  await alone(world.db, async (unit) =>
    unit.post(await fundPot(unit.tx, { id: newId(), pot: 'late', parts: usd('2000'), isBack: false })),
  );
});
after(async () => {
  await settings.stop();
  await world.close();
});

type PersonAccount = { readonly id: string; readonly email: string; readonly isEmailVerified: boolean };
async function holder({ isEmailVerified = true, email = `holder${next()}@gmail.com` } = {}): Promise<PersonAccount> {
  const own = { id: newId(), email, isEmailVerified };
  await world.db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at)
     values ($1, $2, $2, case when $3 then clock_now() end, 'en', clock_now())`,
    [own.id, own.email, isEmailVerified],
  );
  await writeHolderMacs(world.db);
  return own;
}

/** A customer: the data that they type, their device, and their account if signed in. */
interface Person {
  readonly email: string;
  readonly receive?: string;
  readonly refund?: string;
  readonly device?: string;
  readonly own?: PersonAccount;
}
const account = (code: 'BTC' | 'USDT_ERC20'): string => Object.values(world.rails[code].receiver())[0] ?? '';
const deps = () => ({ ...world.deps, tokens: world.deps.sender.tokens, approvalFor: () => 0, operators: async () => 2 });

/** Places an order through its steps. `between` runs after the second step, with the calculation's id. */
async function place(
  { email, receive = account('USDT_ERC20'), refund = account('BTC'), device = `device ${next()}`, own }: Person,
  { coupon, amount = '0.005', between }: { coupon?: string; amount?: string; between?: (id: string) => Promise<void> } = {},
): Promise<StoredOrder> {
  const visitor = { locale: 'en', device, ip: `198.${next() % 250}.${next() % 250}.7` } as const;
  const request = { from: 'BTC', to: 'USDT_ERC20', amount, side: 'give' } as const;
  const code = coupon === undefined ? {} : { coupon };
  const first = between ? request : { ...request, ...code };
  const { id, token = '' } = await step1(deps(), first, visitor, own);
  const accounts = { receive: { address: receive }, refund: { address: refund } };
  const typed = { id, token, ...accounts, email, terms_accepted: true, ask_me: false } as const;
  await step2(deps(), typed, visitor, own);
  if (between) {
    await between(id);
    await step1(deps(), { id, token, ...request, ...code }, visitor, own);
    await step2(deps(), typed, visitor, own);
  }
  await step3(deps(), { id, token, bot_token: 'sandbox' }, visitor, own);
  return placeOrder(world.deps, { id, token, holderId: own?.id });
}

/** Lets a visitor prove to read the mailbox of the address that they typed. */
const confirm = (id: string): Promise<void> =>
  world.db.tx(async (tx) => {
    const calculation = (await lockCalculations(tx, [id])).get(id) as Calculation;
    saveCalculation(tx, { ...calculation, mailbox: canonicalEmail(calculation.email ?? '') });
  });

async function make(code: string, more: { value?: bigint; isFirstOnly?: boolean } = {}): Promise<string> {
  const { value, isFirstOnly = false } = more;
  const kind = value === undefined ? 'percent' : 'fixed';
  const percent = kind === 'percent' ? '40' : undefined;
  const max = value === undefined ? usd('99') : value * 9n;
  await alone(world.db, async (unit) => {
    for (const journal of await makePlain(unit.tx, { kind, code, percent, value, max, uses: 9, isFirstOnly })) unit.post(journal);
  });
  return code;
}
const taken = async (code: string): Promise<number> => (await findCoupon(world.db, code))?.taken ?? assert.fail(code);
const notYours = (work: Promise<unknown>): Promise<void> =>
  assert.rejects(work, (error: Problem) => error.code === 'coupon_not_yours');
async function payOut(order: StoredOrder, minutes = 0): Promise<void> {
  world.pay(order);
  await world.mine(12);
  if (minutes > 0) await world.pass(minutes);
  assert.equal(await world.state(order), 'queued');
  for (const event of ['send', 'accepted', 'final'] as const) await world.report(order, event);
  assert.equal(await world.state(order), 'completed');
}

test('a use with a typed address (in any spelling) or account doesn’t use up an account holder’s', async () => {
  const own = await holder();
  const [receive, refund] = [account('USDT_ERC20'), account('BTC')];
  const spellings = [
    own.email,
    own.email.toUpperCase(),
    own.email.replace('@', '+other@'),
    own.email.replace('holder', 'hol.der'),
  ];
  for (const [at, email] of spellings.entries()) {
    const coupon = await make(`TYPED-${at}`);
    await place({ email }, { coupon });
    await place({ email: own.email, own }, { coupon });
    assert.equal(await taken(coupon), 2, email);
    await notYours(place({ email: own.email, own }, { coupon }));
  }
  for (const [coupon, theirs] of Object.entries({ 'TYPED-RECEIVE': { receive }, 'TYPED-REFUND': { refund } })) {
    await make(coupon);
    await place({ email: `eve${next()}@example.org`, ...theirs }, { coupon });
    await place({ email: own.email, own, ...theirs }, { coupon });
    assert.equal(await taken(coupon), 2, coupon);
  }
});

test('a holder’s page and added codes agree', async () => {
  const own = await holder();
  const coupon = await make('PAGE-KEPT');
  await place({ email: own.email }, { coupon });
  await addCoupon(world.db, own as never, coupon);
  const status = async () => (await ownDiscounts(world.db, own as never)).coupons.find(({ code }) => code === coupon)?.status;
  assert.equal(await status(), 'usable');
  await place({ email: own.email, own }, { coupon });
  assert.equal(await status(), 'used');
});

test('a holder without a verified mailbox is known by their account; others’ typed data doesn’t count', async () => {
  const own = await holder({ isEmailVerified: false });
  const coupon = await make('UNSHOWN');
  await place({ email: own.email }, { coupon });
  await place({ email: own.email, own }, { coupon });
  await notYours(place({ email: `other${next()}@example.org`, own }, { coupon }));
});

test('a holder’s proven data counts: their account, their mailbox and the device', async () => {
  const own = await holder();
  const device = 'a device of two';
  const coupon = await make('SHOWN');
  await place({ email: own.email, own, device }, { coupon });
  await notYours(place({ email: `other${next()}@example.org`, own }, { coupon }));
  await notYours(place({ email: own.email.replace('@', '+again@') }, { coupon }));
  await notYours(place({ email: `third${next()}@example.org`, device }, { coupon }));
  const second = await holder();
  await notYours(place({ email: second.email, own: second, device }, { coupon }));
  await place({ email: second.email, own: second }, { coupon });
});

test('between visitors typed data counts: else a new device would give a coupon again', async () => {
  const [receive, refund] = [account('USDT_ERC20'), account('BTC')];
  const coupon = await make('VISITORS');
  const email = `visitor${next()}@gmail.com`;
  await place({ email, receive, refund }, { coupon });
  await notYours(place({ email: email.replace('@', '+again@') }, { coupon }));
  await notYours(place({ email: `other${next()}@example.org`, receive }, { coupon }));
  await notYours(place({ email: `other${next()}@example.org`, refund }, { coupon }));
});

test('a visitor with a verified mailbox has their use, once', async () => {
  const email = `shown${next()}@example.org`;
  const coupon = await make('MAILBOX');
  await place({ email }, { coupon });
  await notYours(place({ email }, { coupon }));
  await place({ email }, { coupon, between: confirm });
  await notYours(place({ email }, { coupon, between: confirm }));
});

test('a free use is taken again although somebody typed its customer’s address meanwhile', async () => {
  const own = await holder();
  const coupon = await make('AGAIN');
  const order = await place({ email: own.email, own }, { coupon });
  await world.pass(16);
  assert.equal(await taken(coupon), 0);
  await place({ email: own.email }, { coupon });
  world.pay(order);
  await world.mine();
  const late = await world.order(order);
  if (late.view.state === 'choosing') {
    const { view } = await withOffer(world.deps, late);
    const link = { id: order.number, token: world.token(order) };
    await choose(world.deps, { ...link, choice: 'continue', offer: view.facts.offer?.number ?? 0 });
  }
  assert.equal((await world.order(order)).view.facts.exchange?.coupons?.length, 1);
  assert.equal(await taken(coupon), 2);
});

test('the rest of a fixed coupon belongs to its holder; a typed address gets none of it', async () => {
  const own = await holder();
  const coupon = await make('FIXED-REST', { value: usd('2') });
  const order = await place({ email: own.email, own }, { coupon });
  world.pay(order);
  await world.mine();
  const left = async (): Promise<bigint> => {
    const row = await world.db.row<{ rest: string }>('select rest from coupon_use where owner_id = $1', [order.view.id]);
    return BigInt(row?.rest ?? '0');
  };
  const rest = await left();
  assert.ok(rest > 0n);
  await notYours(place({ email: own.email }, { coupon }));
  assert.equal(await left(), rest);
  await place({ email: own.email, own }, { coupon });
  assert.equal(await left(), 0n);
});

test('a first-order coupon: others’ orders with a holder’s typed address don’t count', async () => {
  const own = await holder();
  const coupon = await make('FIRST-ONE', { isFirstOnly: true });
  await payOut(await place({ email: own.email }));
  await notYours(place({ email: own.email }, { coupon }));
  const order = await place({ email: own.email, own }, { coupon });
  await cancelOrder(world.deps, { id: order.number, token: world.token(order) });
  await payOut(await place({ email: own.email, own }));
  await notYours(place({ email: own.email, own }, { coupon }));
});

test('a first-order coupon: for a verified mailbox only its owner’s orders count', async () => {
  const email = `first${next()}@example.org`;
  const coupon = await make('FIRST-SHOWN', { isFirstOnly: true });
  await payOut(await place({ email }));
  await notYours(place({ email }, { coupon }));
  const order = await place({ email }, { coupon, between: confirm });
  await cancelOrder(world.deps, { id: order.number, token: world.token(order) });
  await payOut(await place({ email: email.replace('@', '+own@') }, { between: confirm }));
  await notYours(place({ email }, { coupon, between: confirm }));
  const own = await holder({ email });
  await notYours(place({ email, own }, { coupon }));
});

test('a first-order coupon: an account’s orders count for a visitor with its verified mailbox', async () => {
  const own = await holder();
  const coupon = await make('FIRST-OWN', { isFirstOnly: true });
  await payOut(await place({ email: `other${next()}@example.org`, own }));
  await notYours(place({ email: own.email }, { coupon, between: confirm }));
});

/** Returns the sum that a late order has earned. */
async function earned(order: StoredOrder): Promise<bigint> {
  await payOut(order, 20);
  const row = await world.db.row<{ max: string }>('select max from coupon where earned_by = $1', [order.view.id]);
  return BigInt(row?.max ?? '0');
}
const whole = 2_250_000n;

test('late coupons earned under a typed address or account don’t reduce a holder’s 50 USD', async () => {
  const own = await holder();
  const receive = account('USDT_ERC20');
  await world.db.tx((tx) => putSetting(tx, 'late.customer_usd', '3', 'test'));
  await settings.refresh();
  const visitor = `late${next()}@example.org`;
  assert.equal(await earned(await place({ email: own.email })), whole);
  assert.equal(await earned(await place({ email: `eve${next()}@example.org`, receive })), whole);
  assert.equal(await earned(await place({ email: own.email, own, receive })), whole, 'nothing of it was theirs');
  assert.equal(await earned(await place({ email: own.email, own, receive })), usd('3') - whole, 'their own counts');
  assert.equal(await earned(await place({ email: visitor })), whole);
  assert.equal(await earned(await place({ email: visitor })), usd('3') - whole, 'between visitors it counts');
});

test('late coupons earned under a typed address don’t count for a verified mailbox; its own do', async () => {
  const email = `mailbox${next()}@example.org`;
  const shown = { between: confirm };
  assert.equal(await earned(await place({ email })), whole);
  assert.equal(await earned(await place({ email }, shown)), whole, 'nothing of it was theirs');
  assert.equal(await earned(await place({ email: email.replace('@', '+own@') }, shown)), usd('3') - whole, 'their own counts');
  const own = await holder({ email });
  assert.equal(await earned(await place({ email, own })), 0n, 'it is theirs with an account, too');
});
