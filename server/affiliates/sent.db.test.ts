// Referred customers through their orders: a link, the friend's discount, the reward, and the binding.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from '@kurs/money';
import { writeHolderMacs } from '../auth/testing.ts';
import { alone } from '../collecting/index.ts';
import { type StoredOrder, step1, step2 } from '../exchange/index.ts';
import { type World, openWorld } from '../exchange/testing.ts';
import { accounts, balance } from '../ledger/index.ts';
import { newId, outbox } from '../platform/index.ts';
import { fundPot } from '../pots/index.ts';
import { storeCampaign } from '../referrals/index.ts';
import { affiliateOrders } from './apply-orders.ts';
import { matureDue } from './work.ts';

const orders = affiliateOrders('Kurs');
let world: World;
/** Account holders with their codes. */
const holders: Record<string, { readonly id: string; readonly code: string; readonly email: string }> = {};

before(async () => {
  world = await openWorld();
  await outbox.subscribe(world.db, [orders]);
  for (const name of ['ann', 'bob']) await signUp(name);
  await alone(world.db, async (unit) => {
    const parts = parse('USDT', '1000').parts;
    unit.post(await fundPot(unit.tx, { id: newId(), pot: 'affiliate', parts, isBack: false }));
    await storeCampaign(unit.tx, holders['ann']!.id, { name: 'blog', split: 50, postback: undefined, maxSplit: 50 });
  });
});
after(() => world.close());

async function signUp(name: string, by?: string): Promise<void> {
  const [id, email] = [newId(), `${name}@example.org`];
  const row = await world.db.row<{ code: string }>(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at, referred_by)
     values ($1, $2, $2, clock_now(), 'en', clock_now(), $3) returning referral_code as code`,
    [id, email, by === undefined ? null : holders[by]!.id],
  );
  await writeHolderMacs(world.db);
  holders[name] = { id, email, code: row?.code ?? '' };
}
async function done(placed: StoredOrder): Promise<StoredOrder> {
  world.pay(placed);
  for (let turns = 0; turns < 2; turns += 1) await world.mine(70);
  await outbox.drain(world.db, orders);
  const order = await world.order(placed);
  assert.equal(order.view.state, 'completed');
  return order;
}
const friend = ({ view }: StoredOrder): bigint =>
  view.facts.exchange?.components.find(({ code }) => code === 'friend')?.amount ?? 0n;
const rewards = async ({ view }: StoredOrder): Promise<string[]> =>
  (
    await world.db.rows<{ one: string }>(
      `select email || ' ' || state || ' ' || parts as one from reward r join account_holder h on h.id = holder_id where order_id = $1 order by tier`,
      [view.id],
    )
  ).map(({ one }) => one.replace('@example.org', ''));
const blog = (): string => `${holders['ann']!.code}.blog`;

test('by a campaign’s link: the friend pays less, the affiliate is paid the rest of their share, and both are bound', async () => {
  const order = await done(await world.place({ ref: blog(), email: 'cat@example.org' }));
  // Half of 30 % of the fee of 2 500.
  assert.equal(friend(order), 375n);
  assert.equal(order.view.pinned.sent?.affiliate, holders['ann']!.id);
  // 30 % of 2 500 at 90 000 is 0.675, less 0.3375.
  assert.deepEqual(await rewards(order), ['ann pending 337500']);
  const again = await done(await world.place({ email: 'cat@example.org', as: 'another device' }));
  assert.equal(friend(again), 375n, 'bound, without the link');
  const other = await done(await world.place({ ref: holders['bob']!.code, email: 'cat@example.org' }));
  assert.equal(other.view.pinned.sent?.affiliate, holders['ann']!.id, 'while it stands, nothing changes it');
  await world.db.run(`update binding set until = clock_now() where customer = 'cat@example.org'`);
  const after90 = await done(await world.place({ ref: holders['bob']!.code, email: 'cat@example.org' }));
  assert.deepEqual([after90.view.pinned.sent?.affiliate, friend(after90)], [holders['bob']!.id, 0n], 'a customer of before');
  assert.deepEqual(await rewards(after90), ['bob pending 675000']);
  await world.audit();
});

test('an unknown reference changes nothing, and a click of 91 days ago neither', async () => {
  const ago = (days: number): number => Math.floor((Date.now() - days * 86_400_000) / 1_000);
  for (const ref of ['NOBODY77.blog', `${blog()}~${ago(91)}`, '~', 'x'.repeat(100)]) {
    const order = await world.place({ ref });
    assert.equal(order.view.pinned.sent, undefined, ref);
  }
  const known = await world.place({ ref: `${blog()}~${ago(1)}~post-1` });
  assert.deepEqual([known.view.pinned.sent?.sub, known.view.pinned.sent?.campaign], ['post-1', 'blog']);
});

test('somebody with an account is whose they were as they signed up, for good; the second level is who sent the affiliate', async () => {
  await signUp('eve', 'bob');
  await signUp('fay', 'eve');
  const own = { id: holders['fay']!.id, email: holders['fay']!.email, isEmailVerified: true };
  const order = await done(await world.place({ ref: blog(), email: own.email, own }));
  assert.deepEqual(await rewards(order), ['eve pending 675000', 'bob pending 112500']);
  await world.pass(7 * 24 * 60);
  await matureDue(world.db);
  assert.equal(await balance(world.db, accounts.affiliateAvailable(holders['eve']!.id, 'USDT')), 675_000n);
});

test('who had ordered before is bound for 90 days alone, account or not, and is nobody’s friend', async () => {
  for (const name of ['ivy', 'joe']) await done(await world.place({ email: `${name}@example.org` }));
  await signUp('ivy', 'ann');
  const own = { id: holders['ivy']!.id, email: holders['ivy']!.email, isEmailVerified: true };
  const [ivy, joe] = [
    { email: own.email, own },
    { ref: blog(), email: 'joe@example.org' },
  ];
  for (const customer of [ivy, joe]) {
    const order = await done(await world.place(customer));
    assert.deepEqual([order.view.pinned.sent?.affiliate, friend(order)], [holders['ann']!.id, 0n]);
  }
  await signUp('joe');
  await world.pass(91 * 24 * 60);
  const after90 = [ivy, { email: 'joe@example.org', own: { ...own, id: holders['joe']!.id, email: 'joe@example.org' } }];
  for (const customer of after90) assert.equal((await world.place(customer)).view.pinned.sent, undefined);
});

test('where the address of step 2 is bound otherwise, that holds, and the answer says that the price has changed', async () => {
  await done(await world.place({ ref: holders['bob']!.code, email: 'gil@example.org' }));
  const { sender } = world.deps;
  const deps = { ...world.deps, tokens: sender.tokens, approvalFor: () => 0, operators: async () => 2 };
  const who = { locale: 'en', device: 'gil’s', ip: '198.51.100.9' } as const;
  const begun = await step1(deps, { from: 'BTC', to: 'USDT_ERC20', amount: '0.005', side: 'give', ref: blog() }, who);
  assert.deepEqual(
    begun.quote.discounts?.map(({ code }) => code),
    ['friend'],
  );
  const known = { id: begun.id, token: begun.token as string };
  const accountsOf = { receive: { ...world.rails.USDT_ERC20.receiver() }, refund: { ...world.rails.BTC.receiver() } };
  const answer = (email: string) => step2(deps, { ...known, email, ...accountsOf, terms_accepted: true, ask_me: false }, who);
  const bound = await answer('Gil@example.org');
  assert.deepEqual([bound.price_changed, bound.quote.discounts], ['sender', undefined]);
  const free = await answer('hal@example.org');
  assert.deepEqual([free.price_changed, free.quote.discounts?.length], [undefined, 1]);
});

test('nobody is their own friend: a shared device or address is a case, without a discount', async () => {
  const own = { id: holders['ann']!.id, email: holders['ann']!.email, isEmailVerified: true };
  await done(await world.place({ email: own.email, own, as: 'ann’s device' }));
  const someone = { email: 'someone@example.org', as: 'ann’s device' };
  for (const options of [someone, { email: 'Ann+two@example.org' }, { email: 'x@example.org', own }]) {
    const order = await done(await world.place({ ref: blog(), ...options }));
    assert.equal(friend(order), 0n);
    assert.match((await rewards(order)).join(), /^ann case \d+$/);
  }
  assert.equal((await world.db.rows(`select from binding where customer = 'someone@example.org'`)).length, 0);
});

test('who sent the affiliate earns nothing by themselves of their own order; the affiliate and the friend’s discount stay', async () => {
  // Signed in, and as a visitor who types the same address in another spelling.
  for (const [second, first, isVisitor] of [
    ['zoe', 'yan', false],
    ['zia', 'yip', true],
  ] as const) {
    await signUp(second);
    await signUp(first, second);
    await world.db.tx((tx) =>
      storeCampaign(tx, holders[first]!.id, { name: 'blog', split: 50, postback: undefined, maxSplit: 50 }),
    );
    const { id, email } = holders[second]!;
    const own = { id, email, isEmailVerified: true };
    const customer = isVisitor ? { email: `${second.toUpperCase()}+mine@example.org` } : { own, email };
    const order = await done(await world.place({ ref: `${holders[first]!.code}.blog`, ...customer }));
    assert.equal(friend(order), 375n);
    assert.deepEqual(await rewards(order), [`${first} pending 337500`, `${second} case 112500`]);
  }
  await world.audit();
});

test('an address that an affiliate has withdrawn to, as the one that a customer receives at, makes cases', async () => {
  await signUp('max');
  await signUp('ned', 'max');
  const withdrew = async (name: string, { view: { get, receive } }: StoredOrder): Promise<void> => {
    await world.db.run(
      `insert into wallet_withdrawal (id, holder_id, unit, rail, currency, to_fields, to_key, parts, fee, usd, status, people, requested_at, status_at)
       values ($1, $2, $3, 'evm', $4, '{}', $5, 1, 0, 1, 'done', 0, clock_now(), clock_now())`,
      [newId(), holders[name]!.id, get?.unit, get?.currency, receive?.key],
    );
  };
  const first = await world.place({ ref: holders['ned']!.code });
  await withdrew('ned', first);
  assert.deepEqual(
    (await rewards(await done(first))).map((one) => one.split(' ')[1]),
    ['case', 'case'],
  );
  const second = await world.place({ ref: holders['ned']!.code });
  await withdrew('max', second);
  assert.deepEqual(
    (await rewards(await done(second))).map((one) => one.split(' ')[1]),
    ['pending', 'case'],
  );
  const neither = await done(await world.place({ ref: holders['ned']!.code }));
  assert.deepEqual(
    (await rewards(neither)).map((one) => one.split(' ')[1]),
    ['pending', 'pending'],
  );
});
