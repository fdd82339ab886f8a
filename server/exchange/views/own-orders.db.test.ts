// An account holder's orders: ownership, search, and their contents.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Problem, type Route, routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { type Context, bind, newId, csvOf } from '../../platform/index.ts';
import { answerWithin, freely, prepare, testSealer } from '../../platform/testing.ts';
import { orderRows } from './order-export.ts';
import { orderChangeTokens } from './order-change-tokens.ts';
import { orderNotices } from './order-notices.ts';
import { allOwnOrders, hasOpenOrders } from './own-orders.ts';
import { ownerOf } from '../order/store/owner.ts';
import { placeOrder } from '../actions/place-order.ts';
import { exchangeRoutes } from '../routes.ts';
import { readSums } from '../calculation/typed-sum.ts';
import { type PlaceOptions, type World, openWorld } from '../scenarios/world.testing.ts';

let world: World;
let handlers: ReturnType<typeof exchangeRoutes>;
before(async () => {
  world = await openWorld();
  handlers = exchangeRoutes({ ...world.deps, sealer: testSealer, factors: testSealer, operators: async () => 2 });
});
after(async () => {
  await world.close();
});

const holder = (email: string, isEmailVerified = true): Context => ({
  db: world.db,
  locale: 'en',
  clientId: 'web',
  userAgent: '',
  ip: '203.0.113.9',
  deviceKey: 'd',
  user: { id: newId(), email, isEmailVerified, sessionId: newId() },
  ...freely,
});
test('an API key reads its holder’s orders without the secrets that change them', async () => {
  const ann = holder('keys@example.org');
  const placed = await placeAs(ann);
  const { number } = placed;
  const key: Context = { ...ann, user: undefined, key: { id: newId(), holder: ann.user!, permissions: ['orders.read'] } };
  const reported = async (name: 'userOrders' | 'userOrder', input: object, context: Context): Promise<string> => {
    const call = bind<Route>(routes[name], handlers[name] as never);
    return JSON.stringify(await answerWithin(prepare(call, input, context), () => assert.fail('not kept')));
  };
  // Its payment address was paid once more: the excess is an unallocated payment with its own secret.
  world.pay(placed);
  world.pay(placed);
  for (let turn = 0; turn < 10; turn += 1) await world.mine();
  const { token, related } = await handlers.userOrder({ id: number }, ann);
  assert.equal(related.length, 1);
  const secrets = [token, ...related.map((one) => one.token)];
  for (const [name, input] of [
    ['userOrders', { page: 1, per_page: 20 }],
    ['userOrder', { id: number }],
  ] as const) {
    const [byKey, bySession] = [await reported(name, input, key), await reported(name, input, ann)];
    assert.ok(byKey.includes(number) && byKey.includes(related[0]!.id), name);
    for (const secret of secrets) assert.ok(bySession.includes(secret) && !byKey.includes(secret), name);
    assert.doesNotMatch(byKey, /token/);
  }
});

type Filter = Partial<Parameters<typeof handlers.userOrders>[0]>;
const listed = async (context: Context, filter: Filter = {}) =>
  (await handlers.userOrders({ page: 1, per_page: 20, ...filter }, context)).data.map(({ id }) => id);
const placeAs = async ({ user }: Context, options?: PlaceOptions) =>
  placeOrder(world.deps, { ...(await world.calculate(options)), holderId: user?.id });

test('an order is its account holder’s by their session, or without one by their verified address; nobody else ever sees it', async () => {
  const ann = holder('Ann@Example.org');
  const bob = holder('bob@example.org');
  const unverified = holder('ann@example.org', false);
  const tagged = holder('ann+x@example.org');
  const bySession = await placeAs(ann, { email: 'bob@example.org' });
  const byMailbox = await world.place({ email: 'ann@example.org' });
  const ofTag = await world.place({ email: 'ann+x@example.org' });
  assert.deepEqual(await listed(ann), [byMailbox.number, bySession.number]);
  // Bob's address is in an order that was placed with Ann's session.
  assert.deepEqual(await listed(bob), []);
  assert.deepEqual(await listed(unverified), []);
  assert.deepEqual(await listed(tagged), [ofTag.number]);
  for (const { number } of [bySession, byMailbox]) {
    assert.equal((await handlers.userOrder({ id: number }, ann)).id, number);
    for (const other of [bob, unverified, tagged])
      await assert.rejects(handlers.userOrder({ id: number }, other), (error: Problem) => error.code === 'order_not_found');
  }
  assert.equal((await handlers.userOrderFigures({ days: 30 }, ann)).total, 2);
  assert.deepEqual([await hasOpenOrders(world.db, ownerOf(ann)), await hasOpenOrders(world.db, ownerOf(bob))], [true, false]);
  assert.equal((await handlers.userOrderFigures({ days: 30 }, bob)).total, 0);
  const exported = async (context: Context) => {
    const numbers: string[] = [];
    for await (const group of allOwnOrders(world.db, ownerOf(context), {}, 1)) numbers.push(...group.map(({ number }) => number));
    return numbers;
  };
  assert.deepEqual(await exported(ann), await listed(ann));
  assert.deepEqual(await exported(bob), []);
});

test('an owner’s change token differs after each change of their orders, and of nobody else’s', async () => {
  const [ann, bob] = [holder('ann-mark@example.org'), holder('bob-mark@example.org')];
  const marks = async () => [...(await orderChangeTokens(world.db, [ownerOf(ann), ownerOf(bob)])).values()];
  const none = await marks();
  const order = await placeAs(ann, { email: 'bob-mark@example.org' });
  const placed = await marks();
  assert.notEqual(placed[0], none[0]);
  assert.equal(placed[1], none[1]);
  world.pay(order);
  await world.mine();
  const paid = await marks();
  assert.notEqual(paid[0], placed[0]);
  await world.place({ email: 'bob-mark@example.org' });
  const last = await marks();
  assert.equal(last[0], paid[0]);
  assert.notEqual(last[1], paid[1]);
});

test('a signed-in holder begins with their own address, and owns the orders that they place', async () => {
  const ann = holder('ann-begins@example.org');
  const request = { from: 'BTC', to: 'USDT_ERC20', amount: '0.005', side: 'give' } as const;
  const draft = await handlers.step1(request, ann);
  assert.equal(draft.email, 'ann-begins@example.org');
  const calculation = await world.calculate();
  const { id } = await handlers.processOrder(calculation, ann);
  assert.deepEqual(await listed(ann), [id]);
  const { user: _, ...visitor } = ann;
  assert.equal((await handlers.step1(request, visitor)).email, undefined);
});

test('orders made of an order’s payment stay with its holder', async () => {
  const ann = holder('ann-unallocated@example.org');
  const order = await placeAs(ann, { email: 'else@example.org' });
  world.pay(order);
  for (const blocks of [1, 70, 70]) await world.mine(blocks);
  world.pay(order);
  await world.mine(70);
  const [unallocated] = await world.unallocatedPayments(order);
  assert.ok(unallocated);
  assert.deepEqual((await listed(ann)).toSorted(), [order.number, unallocated.number].toSorted());
});

test('orders are found by state, currency, day and text, in pages', async () => {
  const ann = holder('ann-finds@example.org');
  const first = await placeAs(ann);
  const second = await placeAs(ann);
  await handlers.expire({ id: second.number, token: world.token(second) }, ann);
  assert.deepEqual(await listed(ann, { status: ['waiting'] }), [first.number]);
  assert.deepEqual(await listed(ann, { status: ['cancelled', 'done'] }), [second.number]);
  assert.deepEqual(await listed(ann, { status: ['confirming'] }), []);
  assert.deepEqual(await listed(ann, { currency: ['BTC'] }), [second.number, first.number]);
  assert.deepEqual(await listed(ann, { currency: ['PAYPAL_USD'] }), []);
  assert.deepEqual(await listed(ann, { q: first.number.slice(3, 7).toLowerCase() }), [first.number]);
  assert.deepEqual(await listed(ann, { q: ` ${first.payTo?.toUpperCase()} ` }), [first.number]);
  assert.deepEqual(await listed(ann, { q: Object.values(first.view.receive?.fields ?? {})[0] as string }), [first.number]);
  assert.deepEqual(await listed(ann, { q: '%' }), []);
  const day = first.createdAt.toISOString().slice(0, 10);
  const next = new Date(first.createdAt.getTime() + 86_400_000).toISOString().slice(0, 10);
  assert.deepEqual(await listed(ann, { from: day, to: day }), [second.number, first.number]);
  assert.deepEqual(await listed(ann, { from: next }), []);
  const page = await handlers.userOrders({ page: 2, per_page: 1 }, ann);
  assert.deepEqual(
    page.data.map(({ id }) => id),
    [first.number],
  );
  assert.deepEqual(page.meta, { current_page: 2, per_page: 1, last_page: 2, total: 2 });
  assert.deepEqual(routes.userOrders.output.parse(page.data), page.data);
  assert.equal(routes.userOrders.input.safeParse({ from: '02/30/2026' }).success, false);
});

test('orders are found by an amount, as people write it: what was sent, what is received, in one unit or in any', async () => {
  const ann = holder('ann-sums@example.org');
  const [small, large] = [await placeAs(ann, { amount: '0.005' }), await placeAs(ann, { amount: '0.0085' })];
  const found = async (q: string) => listed(ann, { q });
  for (const text of ['0.005', '0,005', '0.00500000', ' 0.005 BTC ', '0.005btc'])
    assert.deepEqual(await found(text), [small.number]);
  assert.deepEqual(await found('0.0085'), [large.number]);
  const { parts = 0n } = large.view.get ?? {};
  const got = format(money('USDT', parts), 2);
  for (const text of [got, got.replace('.', ','), `${got} USDT`]) assert.deepEqual(await found(text), [large.number], text);
  for (const text of ['0.005 USDT', '0.0051', '0.05', '0.005 BTC x', '-0.005']) assert.deepEqual(await found(text), [], text);
  // Digit groups of both languages count: a thousand in one may be one in the other.
  for (const text of ['1,000.5 USDT', '1 000,50 usdt'])
    assert.deepEqual([...new Set(readSums(text).parts)], ['1000500000'], text);
  assert.deepEqual([...new Set(readSums('1,000 USDT').parts)], ['1000000000', '1000000']);
  assert.deepEqual(await listed(holder('bob-sums@example.org'), { q: '0.005' }), []);
  const exported: string[] = [];
  for await (const group of allOwnOrders(world.db, ownerOf(ann), { q: '0.0085' }, 1))
    exported.push(...group.map((one) => one.number));
  assert.deepEqual(exported, [large.number]);
});

test('an export holds each order that matches, and nothing that a spreadsheet would run', async () => {
  const ann = holder('ann-exports@example.org');
  const first = await placeAs(ann, { email: '+1-1@example.org' });
  const second = await placeAs(ann);
  let file = '';
  for await (const lines of csvOf(orderRows(world.db, ownerOf(ann), { currency: ['BTC'] }))) file += lines;
  const [head, ...rows] = file.trimEnd().split('\r\n');
  assert.match(head ?? '', /^\ufefforder,kind,status,created_utc,/);
  assert.deepEqual(
    rows.map((row) => row.split(',')[0]),
    [second.number, first.number],
  );
  assert.match(
    rows[1] ?? '',
    /,waiting,.*,0\.00500000,BTC,\d+\.\d\d,USDT_ERC20,.*,'\+1-1@example\.org,,0\.00002500,0\.00000667,0\.00000000,90000,BTC\/USDT(,0\.00000000){5}$/,
  );
});

test('only the holder gets the notice that an order is over or waits for a choice, with its time', async () => {
  const [ann, bob] = [holder('ann-news@example.org'), holder('bob-news@example.org')];
  const reported = async (one: Context) => (await orderNotices(world.db, ownerOf(one), 30)).map(({ id, kind }) => [id, kind]);
  const [paid, left] = [await placeAs(ann), await placeAs(ann)];
  assert.deepEqual(await reported(ann), [], 'that one was placed is no news');
  world.pay(paid);
  for (const blocks of [1, 70, 70]) await world.mine(blocks);
  assert.deepEqual(await reported(ann), [[paid.number, 'order_done']]);
  await handlers.expire({ id: left.number, token: world.token(left) }, ann);
  assert.deepEqual(await reported(ann), [[paid.number, 'order_done']], 'nor that he cancelled one');
  assert.deepEqual(await reported(bob), []);
  const [{ at } = { at: undefined }] = await orderNotices(world.db, ownerOf(ann), 1);
  assert.deepEqual(at, (await world.order(paid)).finishedAt);
});

test('figures show payouts on their day', async () => {
  const ann = holder('ann-counts@example.org');
  const order = await placeAs(ann);
  await placeAs(ann);
  world.pay(order);
  for (const blocks of [1, 70, 70]) await world.mine(blocks);
  assert.equal((await world.order(order)).view.state, 'completed');
  const figures = await handlers.userOrderFigures({ days: 30 }, ann);
  assert.deepEqual(routes.userOrderFigures.output.parse(figures), figures);
  assert.deepEqual([figures.total, figures.open, figures.days.length], [2, 1, 30]);
  for (const days of [7, 90] as const) {
    const of = await handlers.userOrderFigures({ days }, ann);
    assert.deepEqual([of.days.length, of.days.at(-1), of.exchanged], [days, figures.days.at(-1), figures.exchanged]);
  }
  assert.equal(routes.userOrderFigures.input.safeParse({ days: '31' }).success, false);
  assert.deepEqual(routes.userOrderFigures.input.parse({ days: '7' }), { days: 7 });
  const today = figures.days.at(-1);
  assert.equal(today?.orders, 1);
  assert.equal(today?.exchanged.amount, figures.exchanged.amount);
  assert.match(figures.exchanged.amount, /^[1-9]\d*\.\d\d$/);
});
