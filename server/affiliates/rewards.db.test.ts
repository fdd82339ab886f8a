// Rewards by events of orders: the worked examples to the last posting, and each state with its postings.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { parse } from '@kurs/money';
import { queuedLetters } from '../deliveries/testing.ts';
import { writeHolderMacs } from '../auth/testing.ts';
import { alone } from '../collecting/index.ts';
import { type OrderPublished, orderPublished } from '../exchange/index.ts';
import { accounts, balance, leg, post, verify } from '../ledger/index.ts';
import { onlyBalances } from '../ledger/testing.ts';
import { type Db, advanceClock, newId, openTokens } from '../platform/index.ts';
import { apart, grownPages, pagesOf, testDb } from '../platform/testing.ts';
import { fundPot, potCheck } from '../pots/index.ts';
import { findAffiliate, noteKeys, saveTerms } from '../referrals/index.ts';
import { applyOrders } from './apply-orders.ts';
import { decideCase } from './cases.ts';
import { affiliateCheck } from './check-books.ts';
import { switchLettersOff, mailMonths } from './letters.ts';
import { activeCustomers, forgetCustomers } from './referred-order.ts';
import { giveUpRewards, toWallet } from './take-out.ts';
import { affiliateView, rewardsView } from './views.ts';
import { countLevels, fillWaiting, matureDue } from './work.ts';
import { addPastRewards } from './orders.testing.ts';
import { WORKED_PRICES } from './worked-prices.testing.ts';

const usdt = (sum: string): bigint => parse('USDT', sum).parts;
const DAY = 86_400_000;
const SENDER = { name: 'Kurs', url: 'https://kurs.example', tokens: openTokens(new Map([[1, Buffer.alloc(32, 1)]])) };
const [ANN, BOB, EVE] = [newId(), newId(), newId()];
let db: Db;
let owner: Db;
let drop: () => Promise<void>;
before(async () => {
  ({ db, owner, drop } = await testDb());
  const id = newId();
  const legs = [leg(accounts.custody('USDT_ERC20', 'hot', 'USDT'), accounts.deskFree('USDT'), usdt('100000'))];
  await db.tx((tx) => post(tx, [{ id, kind: 'capital_in', cause: id, legs }]));
  for (const [holder, email] of [
    [ANN, 'ann@example.org'],
    [BOB, 'bob@example.org'],
    [EVE, 'eve@example.org'],
  ] as const)
    await db.run(
      `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at) values ($1, $2, $2, clock_now(), 'en', clock_now())`,
      [holder, email],
    );
  await writeHolderMacs(db);
  await fund('5000');
});
after(() => drop());

const fund = (sum: string, isBack = false): Promise<void> =>
  alone(db, async (unit) => unit.post(await fundPot(unit.tx, { id: newId(), pot: 'affiliate', parts: usdt(sum), isBack })));
const inPot = (): Promise<bigint> => balance(db, accounts.promo('affiliate', 'USDT'));
const pending = (holder: string): Promise<bigint> => balance(db, accounts.affiliatePending(holder, 'USDT'));
const available = (holder: string): Promise<bigint> => balance(db, accounts.affiliateAvailable(holder, 'USDT'));
const owed = (holder: string): Promise<bigint> => balance(db, accounts.receivable(`affiliate_${holder}`, 'USDT'));
const wallet = (holder: string): Promise<bigint> => balance(db, accounts.wallet(holder, 'USDT'));
const states = async (order: string): Promise<string[]> =>
  (
    await db.rows<{ one: string }>(
      `select tier || ' ' || state || ' ' || parts as one from reward where order_id = $1 order by made_at, tier`,
      [order],
    )
  ).map(({ one }) => one);
async function booksAreRight(): Promise<void> {
  assert.deepEqual((await verify(db, { checks: [potCheck, affiliateCheck].map(onlyBalances) })).faults, []);
}
async function daysOn(days: number): Promise<void> {
  await advanceClock(db, days * DAY);
  await matureDue(db);
}

interface Told {
  readonly price?: 'paypal' | 'btc';
  readonly customer?: string;
  readonly device?: string;
  readonly holder?: string;
  readonly sentBy?: Partial<NonNullable<OrderPublished['sentBy']>>;
}
let version = 0;
async function report(
  order: string,
  kind: string,
  { price = 'btc', customer = 'cat', device = customer, holder, sentBy }: Told = {},
): Promise<void> {
  version += 1;
  const at = (await db.now()).toISOString();
  const body = orderPublished.parse({
    ...{ order, number: 'KX-1', version, at, price: WORKED_PRICES[price], promisedSeconds: 600, takenSeconds: 60, ended: null },
    customer: { holder: holder ?? null, shown: [`device:${device}`], typed: [`email:${customer}@example.org`] },
    sentBy: {
      affiliate: ANN,
      campaign: 'blog',
      sub: 'top',
      since: at,
      hadOrdered: false,
      second: BOB,
      shared: null,
      friendPercent: price === 'btc' ? '15' : '0',
      ...sentBy,
    },
    paidBy: price === 'btc' ? { way: 'chain', isReversible: false } : { way: 'e-wallet', isReversible: true },
  } satisfies OrderPublished);
  await db.tx((tx) =>
    applyOrders(tx, [{ id: newId(), kind: `order.${kind}`, subject: `order:${order}`, body, at: new Date(), tries: 0 }], 'Kurs'),
  );
}
async function completed(reported: Told = {}): Promise<string> {
  const order = newId();
  for (const kind of ['placed', 'exchanged']) await report(order, kind, reported);
  assert.deepEqual(await states(order), [], 'nothing is earned before it is completed');
  await report(order, 'completed', reported);
  return order;
}

test('the worked example of bitcoin: both rewards, available after 7 days, and owed where they are taken back after that', async () => {
  const pot = await inPot();
  const order = await completed();
  assert.deepEqual(await states(order), ['1 pending 487920', '2 pending 143720']);
  assert.deepEqual([await pending(ANN), await pending(BOB), pot - (await inPot())], [487_920n, 143_720n, 631_640n]);
  await booksAreRight();
  await daysOn(6);
  assert.equal(await available(ANN), 0n);
  await daysOn(1);
  assert.deepEqual([await pending(ANN), await available(ANN), await available(BOB)], [0n, 487_920n, 143_720n]);
  await assert.rejects(toWallet(db, ANN, undefined), ({ code }: Problem) => code === 'validation', 'from 10 USD on');
  await report(order, 'reversed');
  assert.deepEqual(await states(order), ['1 reversed 487920', '2 reversed 143720']);
  assert.deepEqual([await available(ANN), await available(BOB), await owed(ANN), await inPot()], [0n, 0n, 0n, pot]);
  await booksAreRight();
});

test('the worked example of PayPal: after 180 days; taken back on day 40 all of it goes into the pot again', async () => {
  const pot = await inPot();
  const order = await completed({ price: 'paypal' });
  assert.deepEqual(await states(order), ['1 pending 4500000', '2 pending 750000']);
  await daysOn(40);
  assert.equal(await available(ANN), 0n);
  await report(order, 'reversed', { price: 'paypal' });
  assert.deepEqual([await pending(ANN), await pending(BOB), await inPot()], [0n, 0n, pot]);
  await report(order, 'restored', { price: 'paypal' });
  assert.deepEqual(await states(order), ['1 reversed 4500000', '2 reversed 750000', '1 pending 4500000', '2 pending 750000']);
  await daysOn(140);
  assert.deepEqual([await available(ANN), await available(BOB)], [4_500_000n, 750_000n]);
  await booksAreRight();
});

test('what was taken out and is reversed is owed, and repaid by later rewards only', async () => {
  for (let at = 0; at < 2; at += 1) await completed({ price: 'paypal' });
  const last = await completed({ price: 'paypal' });
  await daysOn(180);
  const there = await available(ANN);
  await db.run(`update account_holder set referred_campaign = 'x' where id = $1`, [ANN]);
  await assert.rejects(toWallet(db, ANN, undefined), ({ code }: Problem) => code === 'record_altered');
  await db.run('update account_holder set referred_campaign = null where id = $1', [ANN]);
  const { parts, left } = await toWallet(db, ANN, undefined);
  assert.deepEqual([parts, left, await wallet(ANN)], [there, 0n, there]);
  await report(last, 'reversed', { price: 'paypal' });
  assert.deepEqual([await owed(ANN), await wallet(ANN), (await findAffiliate(db, ANN)).owed], [4_500_000n, there, 4_500_000n]);
  await booksAreRight();
  await completed({ price: 'paypal' });
  await completed();
  await daysOn(180);
  assert.deepEqual([await owed(ANN), await available(ANN)], [0n, 487_920n]);
  await booksAreRight();
});

test('an empty pot: rewards wait, the oldest first, and nothing new is given before them', async () => {
  const left = await inPot();
  await alone(db, async (unit) =>
    unit.post(await fundPot(unit.tx, { id: newId(), pot: 'affiliate', parts: left - usdt('0.5'), isBack: true })),
  );
  const [first, second] = [await completed({ price: 'paypal' }), await completed()];
  assert.deepEqual(await states(first), ['1 waiting 4500000', '2 waiting 750000']);
  assert.deepEqual(await states(second), ['1 waiting 487920', '2 waiting 143720']);
  await booksAreRight();
  await fund('4.2');
  assert.equal(await fillWaiting(db), 1);
  await fund('1000');
  assert.equal(await fillWaiting(db), 3);
  assert.deepEqual(
    [...(await states(first)), ...(await states(second))].map((one) => one.split(' ')[1]),
    Array(4).fill('pending'),
  );
  await booksAreRight();
});

test('a reward that is changed by SQL comes to nothing, whatever was changed, and the proof accuses it', async () => {
  const order = await completed({ price: 'paypal', sentBy: { shared: 'email' } });
  const rows = await db.rows<{ id: string; row: object }>(
    'select id, to_jsonb(reward) as row from reward where order_id = $1 order by tier',
    [order],
  );
  const { id, row } = rows[0] ?? assert.fail();
  const pot = await inPot();
  for (const set of [
    `state = 'waiting'`,
    `state = 'waiting', parts = 900000000`,
    `state = 'pending', matures_at = clock_now()`,
    `holder_id = '${EVE}'`,
    'mac = null',
  ]) {
    await db.run(`update reward set ${set} where id = $1`, [id]);
    await fillWaiting(db);
    await matureDue(db);
    await assert.rejects(
      alone(db, (unit) => decideCase(unit, id, 'pay')),
      ({ code }: Problem) => code === 'record_altered',
      set,
    );
    assert.equal(await inPot(), pot, set);
    const faults = (await affiliateCheck.faults?.(db, undefined)) ?? [];
    assert.ok(
      faults.some(({ account }) => account === id),
      JSON.stringify(faults),
    );
    await db.run(
      `update reward set (state, parts, holder_id, matures_at, mac) =
         (select state, parts, holder_id, matures_at, mac from jsonb_populate_record(null::reward, $2)) where id = $1`,
      [id, row],
    );
  }
  await booksAreRight();
  for (const one of rows) await alone(db, (unit) => decideCase(unit, one.id, 'refuse'));
});

const letters = (to: string, kind: string) => queuedLetters(db, { to, key: `${kind}%` });

test('letters: one of the first reward, and one of each month that brought any, unless it is switched off', async () => {
  const first = await letters('ann@example.org', 'first reward');
  assert.deepEqual(
    first.map(({ subject }) => subject),
    ['Your first reward at Kurs: 0.48792\u00a0USDT'],
  );
  assert.doesNotMatch(first[0]?.text ?? '', /cat|KX-1/, 'nothing of the customer');
  // Into the first days of the month after the next: the letter about the last month is queued once.
  const now = await db.now();
  await advanceClock(db, Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15) - now.getTime());
  await completed({ customer: 'month', sentBy: { second: null } });
  const then = await db.now();
  await advanceClock(db, Date.UTC(then.getUTCFullYear(), then.getUTCMonth() + 1, 1, 1) - then.getTime());
  for (const _ of [1, 2]) await mailMonths(db, SENDER);
  const reported = await letters('ann@example.org', 'rewards of');
  assert.deepEqual(
    reported.map(({ subject }) => subject),
    [`Your rewards at Kurs: 0.48792\u00a0USDT in ${then.toISOString().slice(0, 7)}`],
  );
  assert.match(reported[0]?.text ?? '', /Rewards:? 1\n/);
  const { offAt: off } = reported[0] ?? assert.fail();
  assert.ok(off?.startsWith(`${SENDER.url}/En/letters?of=rewards&holder=${ANN}&token=`), off ?? '');
  assert.equal(first[0]?.offAt, undefined, 'comes once');
  const link = { holder: ANN, token: new URL(off ?? '').searchParams.get('token') ?? '' };
  await assert.rejects(
    switchLettersOff(db, SENDER.tokens, { ...link, holder: BOB }),
    ({ code }: Problem) => code === 'not_found',
  );
  await switchLettersOff(db, SENDER.tokens, link);
  await completed({ customer: 'silent', sentBy: { second: null } });
  const later = await db.now();
  await advanceClock(db, Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 1, 1) - later.getTime());
  await mailMonths(db, SENDER);
  assert.equal((await letters('ann@example.org', 'rewards of')).length, 1);
});

test('whose customer an order was is forgotten a month after its reward is mature, or once it never completed', async () => {
  const order = await completed({ customer: 'kept' });
  const open = newId();
  await report(open, 'placed', { customer: 'kept' });
  const stored = async () =>
    (
      await db.rows<{ customer: string | null }>(
        'select customer from referred_order where order_id = any ($1) order by order_id = $2',
        [[order, open], open],
      )
    ).map(({ customer }) => customer);
  await daysOn(37);
  await forgetCustomers(db);
  assert.deepEqual(await stored(), ['kept@example.org', 'kept@example.org']);
  await daysOn(2);
  assert.ok((await forgetCustomers(db)) > 0);
  assert.deepEqual(await stored(), [null, 'kept@example.org']);
  await daysOn(172);
  await forgetCustomers(db);
  assert.deepEqual(await stored(), [null, null]);
});

test('a shared key is a case: at the placing or at the completion, for both levels, and people decide it', async () => {
  await db.tx((tx) => noteKeys(tx, [{ holderId: ANN, keys: ['device:ann’s', 'account:BTC:bc1ann'] }]));
  const pot = await inPot();
  const own = await completed({ customer: 'other', device: 'ann’s' });
  assert.deepEqual(await states(own), ['1 case 487920', '2 case 143720']);
  assert.equal(await inPot(), pot);
  const placed = await completed({ sentBy: { shared: 'email' } });
  assert.deepEqual(
    (await states(placed)).map((one) => one.split(' ')[1]),
    ['case', 'case'],
  );
  const cases = await db.rows<{ id: string; reason: string }>(
    `select id, reason from reward where state = 'case' order by made_at, tier`,
  );
  assert.deepEqual(
    cases.map(({ reason }) => reason),
    ['device', 'device', 'email', 'email'],
  );
  const [one, two, three, four] = cases.map(({ id }) => id) as [string, string, string, string];
  await alone(db, (unit) => decideCase(unit, one, 'pay'));
  await alone(db, (unit) => decideCase(unit, two, 'refuse'));
  await assert.rejects(
    alone(db, (unit) => decideCase(unit, two, 'pay')),
    ({ code }: Problem) => code === 'action_not_open',
  );
  assert.deepEqual(await states(own), ['1 pending 487920', '2 refused 143720']);
  await report(placed, 'reversed');
  assert.deepEqual(
    (await states(placed)).map((one_) => one_.split(' ')[1]),
    ['reversed', 'reversed'],
  );
  for (const id of [three, four])
    await assert.rejects(
      alone(db, (unit) => decideCase(unit, id, 'pay')),
      ({ code }: Problem) => code === 'action_not_open',
    );
  await booksAreRight();
});

test('the same of two levels, learnt from their own orders, and an affiliate who is suspended: cases, and nothing goes out', async () => {
  await completed({ holder: BOB, customer: 'bob', device: 'a shared one', sentBy: { affiliate: EVE, second: null } });
  await completed({ holder: EVE, customer: 'eve', device: 'a shared one', sentBy: { affiliate: ANN, second: null } });
  const between = await completed({ customer: 'dan', sentBy: { affiliate: EVE, second: BOB } });
  assert.deepEqual(
    (await states(between)).map((one) => one.split(' ')[1]),
    ['case', 'case'],
  );
  await db.tx((tx) => saveTerms(tx, ANN, { isSuspended: true }));
  const order = await completed({ customer: 'fay' });
  assert.deepEqual(
    (await states(order)).map((one) => one.split(' ')[1]),
    ['case', 'pending'],
  );
  await daysOn(180);
  await assert.rejects(toWallet(db, ANN, usdt('10')), ({ code }: Problem) => code === 'affiliate_suspended');
  await db.tx((tx) => saveTerms(tx, ANN, { isSuspended: false }));
  await booksAreRight();
});

test('the ladder: customers whose orders matured within 30 days; the share is that of the completion', async () => {
  await advanceClock(db, 40 * DAY);
  for (let at = 0; at < 10; at += 1) await completed({ customer: `customer${at}` });
  await daysOn(7);
  await countLevels(db);
  assert.equal((await findAffiliate(db, ANN)).level, 1);
  // A reward whose order was below the counted minimum moves them no further on the ladder, and their page says the same.
  await db.run(`update referred_order set worth = 4999 where customer = 'customer0@example.org'`);
  const { share, active, next } = await affiliateView(db, ANN);
  assert.deepEqual([share, active, next?.from], ['33', 9, 10]);
  // 33 % of 2.8744, less the friend's 0.3744.
  assert.deepEqual(await states(await completed({ customer: 'later' })), ['1 pending 574152', '2 pending 143720']);
  await daysOn(40);
  await countLevels(db);
  assert.equal((await findAffiliate(db, ANN)).level, 0);
  await booksAreRight();
});

test('an affiliate sees day, campaign, currencies, sum and state, and nothing about a person; a closed account gives up the rest', async () => {
  const { data } = await rewardsView(db, EVE, { page: 1, per_page: 20 });
  assert.deepEqual(Object.keys(data[0] ?? {}).toSorted(), [
    'amount',
    'campaign',
    'day',
    'from',
    'id',
    'level',
    'matures_on',
    'state',
    'sub',
    'to',
  ]);
  await completed({ customer: 'gil' });
  assert.ok((await pending(ANN)) > 0n);
  await alone(db, (unit) => giveUpRewards(unit, { id: ANN, email: 'ann@example.org' }));
  assert.deepEqual([await pending(ANN), await available(ANN)], [0n, 0n]);
  await booksAreRight();
});

test('what an affiliate’s pages and the loops read does not grow with rewards that are over; a list goes on behind any page', async () => {
  const now = await db.now();
  await advanceClock(db, Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 1) - now.getTime());
  const work = async (own: Db): Promise<void> => {
    await affiliateView(own, BOB);
    await rewardsView(own, BOB, { page: 1, per_page: 20, state: 'pending' });
    await own.tx((tx) => activeCustomers(tx, 1n));
    await mailMonths(own, SENDER);
  };
  const few = await pagesOf(db, db.url, work);
  await apart(db, owner.url, async (own) => {
    await addPastRewards(own, BOB);
    for (const table of ['reward', 'referred_order']) await own.run(`vacuum analyze ${table}`);
  });
  assert.deepEqual(
    grownPages(few, await pagesOf(db, db.url, work)).filter((one) => /^(?:reward|referred)/.test(one)),
    [],
  );
  const first = await rewardsView(db, BOB, { page: 400, per_page: 50 });
  assert.deepEqual([first.meta.total, first.meta.is_more], [10_000, true]);
  const [one, two] = [
    await rewardsView(db, BOB, { page: 1, per_page: 40 }),
    await rewardsView(db, BOB, { page: 1, per_page: 20 }),
  ];
  const rest = await rewardsView(db, BOB, { page: 1, per_page: 20, after: two.meta.next });
  assert.deepEqual(one.data, [...two.data, ...rest.data]);
  await assert.rejects(rewardsView(db, BOB, { page: 1, per_page: 20, after: 'x' }), ({ code }: Problem) => code === 'validation');
});
