// Events of a group, handled by set-based statements, have the same result as events handled one by one.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from '@kurs/money';
import { queuedLetters } from '../deliveries/testing.ts';
import { writeHolderMacs } from '../auth/testing.ts';
import { testSealer } from '../platform/testing.ts';
import { alone } from '../collecting/index.ts';
import { type OrderPublished, orderPublished } from '../exchange/index.ts';
import { accounts, leg, post } from '../ledger/index.ts';
import { type Db, type StoredEvent, newId } from '../platform/index.ts';
import { type TestDb, testDb } from '../platform/testing.ts';
import { fundPot } from '../pots/index.ts';
import { storeCampaign } from '../referrals/index.ts';
import { applyOrders } from './apply-orders.ts';
import { decideCase } from './cases.ts';
import { putPostback } from './postbacks.ts';

const usdt = (sum: string): bigint => parse('USDT', sum).parts;
const [ANN, BOB, EVE] = [newId(), newId(), newId()];
const dbs: TestDb[] = [];
before(async () => {
  dbs.push(await testDb(), await testDb());
  for (const { db } of dbs) await open(db);
});
after(async () => {
  for (const { drop } of dbs) await drop();
});

async function open(db: Db): Promise<void> {
  const id = newId();
  const legs = [leg(accounts.custody('USDT_ERC20', 'hot', 'USDT'), accounts.deskFree('USDT'), usdt('1000'))];
  await db.tx((tx) => post(tx, [{ id, kind: 'capital_in', cause: id, legs }]));
  for (const holder of [ANN, BOB, EVE])
    await db.run(
      `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at) values ($1, $2, $2, clock_now(), 'en', clock_now())`,
      [holder, `${holder}@example.org`],
    );
  await writeHolderMacs(db);
  await alone(db, async (unit) =>
    unit.post(await fundPot(unit.tx, { id: newId(), pot: 'affiliate', parts: usdt('1000'), isBack: false })),
  );
  await db.tx(async (tx) => {
    const url = 'https://shop.example/hook';
    await storeCampaign(tx, ANN, { name: 'blog', split: 0, postback: url, maxSplit: 50 });
    await putPostback(tx, testSealer, { holderId: ANN, campaign: 'blog', url });
    await storeCampaign(tx, EVE, { name: 'quiet', split: 0, postback: undefined, maxSplit: 50 });
  });
}

const bitcoin = { base: 'BTC', quote: 'USDT', numerator: '80000', denominator: '1' };
const PRICE: OrderPublished['price'] = {
  ...{
    isBooked: true,
    exchanged: '1250000',
    rate: bitcoin,
    mid: bitcoin,
    rewardMid: bitcoin,
    retained: '0',
    provision: '0',
    margin: '0',
  },
  give: { currency: 'BTC', unit: 'BTC', parts: '1250000' },
  get: { currency: 'USDT_ERC20', unit: 'USDT', parts: '993000000' },
  lines: [{ code: 'fee', kind: 'fee', parts: '6250', payer: 'customer', account: 'income:spread' }],
};

interface Order {
  readonly id: string;
  readonly customer: string;
  readonly keys?: readonly string[];
  readonly holder?: string;
  readonly sentBy: 'ann' | 'eve' | 'nobody';
  readonly since: Date;
}

const SENT = {
  ann: { affiliate: ANN, campaign: 'blog', second: BOB },
  eve: { affiliate: EVE, campaign: 'quiet', second: null },
} as const;

function eventOf({ id, customer, keys = [], holder, sentBy, since }: Order, kind: string, version: number): StoredEvent {
  const sent = sentBy === 'nobody' ? null : SENT[sentBy];
  const body = orderPublished.parse({
    ...{ order: id, number: 'KX-1', version, at: new Date().toISOString(), price: PRICE, promisedSeconds: 600, takenSeconds: 60 },
    customer: { holder: holder ?? null, shown: [...keys], typed: [`email:${customer}@example.org`] },
    sentBy: sent && { ...sent, sub: customer, since: since.toISOString(), hadOrdered: false, shared: null, friendPercent: '0' },
    ...{ paidBy: { way: 'chain', isReversible: false }, ended: null },
  } satisfies OrderPublished);
  return { id: newId(), kind: `order.${kind}`, subject: `order:${id}`, body, at: new Date(), tries: 0 };
}

/** Returns the final rows, without their ids and times. */
async function status(db: Db): Promise<unknown> {
  return {
    orders: await db.rows(
      `select order_id, affiliate, second, campaign, customer, shared, completed_at, matures_at, profit, worth, reversed_at is null as stands
       from referred_order order by order_id`,
    ),
    rewards: await db.rows(
      'select order_id, tier, holder_id, state, parts, reason, matures_at from reward order by order_id, tier, state, id',
    ),
    bindings: await db.rows('select customer, affiliate, campaign, sub, since, until from binding order by customer'),
    days: await db.rows('select holder_id, campaign, orders, profit, reward from affiliate_day order by 1, 2'),
    postbacks: (
      await db.rows<{ owner: string; body: object }>(
        `select owner, body from delivery_event where type = 'referral.order' order by id`,
      )
    ).map(({ owner, body }) => ({ owner, ...body, reference: undefined })),
    letters: (await queuedLetters(db))
      .map(({ key, subject, text }) => ({ key, subject, text }))
      .toSorted((one, other) => (one.key < other.key ? -1 : 1)),
    keys: await db.rows('select holder_id, key from affiliate_key order by 1, 2'),
  };
}

test('a group comes to what its events come to one by one', async () => {
  const [now, old] = [new Date(), new Date(Date.now() - 100 * 86_400_000)];
  const of = (own: Partial<Order> & Pick<Order, 'customer' | 'sentBy'>): Order => ({ id: newId(), since: now, ...own });
  const own = of({ customer: 'ann', sentBy: 'nobody', holder: ANN, keys: ['device:of-ann'] });
  const [plain, other] = [of({ customer: 'cat', sentBy: 'ann' }), of({ customer: 'dan', sentBy: 'eve' })];
  const sharing = of({ customer: 'fay', sentBy: 'ann', keys: ['device:of-ann'] });
  const itself = of({ customer: 'gil', sentBy: 'eve', keys: [`holder:${EVE}`] });
  // An expired binding is replaced by the next one; a valid one is not.
  const [over, fresh] = [of({ customer: 'hal', sentBy: 'ann', since: old }), of({ customer: 'hal', sentBy: 'eve' })];
  const late = of({ customer: 'cat', sentBy: 'eve' });
  const [taken, again] = [of({ customer: 'ida', sentBy: 'ann' }), of({ customer: 'jim', sentBy: 'ann' })];
  const all = [plain, other, sharing, itself, over, fresh, late, taken, again];
  let version = 0;
  const event = (order: Order, kind: string): StoredEvent => eventOf(order, kind, (version += 1));
  const events = [
    ...all.map((order) => event(order, 'placed')),
    event(plain, 'placed'),
    ...all.map((order) => event(order, 'exchanged')),
    ...all.map((order) => event(order, 'completed')),
    event(taken, 'reversed'),
    ...['reversed', 'restored', 'reversed', 'restored'].map((kind) => event(again, kind)),
  ];
  const first = event(own, 'placed');
  for (const [at, { db }] of dbs.entries()) {
    await db.tx((tx) => applyOrders(tx, [first], 'Kurs'));
    const groups = at === 0 ? [events] : events.map((one) => [one]);
    for (const group of groups) await db.tx((tx) => applyOrders(tx, group, 'Kurs'));
  }
  const [together, each] = [await status(dbs[0]!.db), await status(dbs[1]!.db)];
  assert.deepEqual(together, each);
  const { rewards, bindings } = together as {
    rewards: { reason: string | null }[];
    bindings: { customer: string; affiliate: string }[];
  };
  assert.deepEqual(new Set(rewards.map(({ reason }) => reason)), new Set([null, 'device', 'holder']));
  const boundTo = (name: string): string | undefined =>
    bindings.find(({ customer }) => customer === `${name}@example.org`)?.affiliate;
  assert.deepEqual([boundTo('hal'), boundTo('cat')], [EVE, ANN]);
});

test('an order counts among what a day brought once people pay its case, and no more once it is taken back', async () => {
  const { db } = dbs[0] ?? assert.fail();
  const counted = async (): Promise<bigint[]> => {
    const row = await db.row<Record<'orders' | 'profit' | 'reward', string>>(
      `select sum(orders)::text as orders, sum(profit)::text as profit, sum(reward)::text as reward from affiliate_day where holder_id = $1`,
      [ANN],
    );
    return [row?.orders, row?.profit, row?.reward].map((one) => BigInt(one ?? 0));
  };
  let version = 1_000;
  const report = (order: Order, ...kinds: readonly string[]): Promise<void> =>
    db.tx((tx) =>
      applyOrders(
        tx,
        kinds.map((kind) => eventOf(order, kind, (version += 1))),
        'Kurs',
      ),
    );
  const decided = async (order: Order, event: 'pay' | 'refuse'): Promise<void> => {
    const row = await db.row<{ id: string }>(`select id from reward where order_id = $1 and tier = 1 and state = 'case'`, [
      order.id,
    ]);
    await alone(db, (unit) => decideCase(unit, row?.id ?? assert.fail('no case'), event));
  };
  const sharing = (): Order => ({ id: newId(), customer: 'kim', keys: ['device:of-ann'], sentBy: 'ann', since: new Date() });
  const before = await counted();
  const more = (...by: readonly bigint[]): bigint[] => before.map((one, at) => one + (by[at] ?? 0n));
  const [paid, refused] = [sharing(), sharing()];
  await report(paid, 'placed', 'completed');
  assert.deepEqual(await counted(), before);
  await decided(paid, 'pay');
  assert.deepEqual(await counted(), more(1n, 5_000_000n, 1_500_000n));
  await report(paid, 'reversed');
  assert.deepEqual(await counted(), before);
  await report(paid, 'restored');
  assert.deepEqual(await counted(), before, 'what it earns anew is a case again');
  await report(refused, 'placed', 'completed');
  await decided(refused, 'refuse');
  await report(refused, 'reversed');
  assert.deepEqual(await counted(), before);
});
