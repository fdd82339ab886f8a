import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '@kurs/contract';
import { routes } from '@kurs/contract';
import { tryCode } from '../../auth/index.ts';
import { type Context, createLimiter, type VersionWatch } from '../../platform/index.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { watchOrders } from '../order/store/order-watch.ts';
import { openOrderStream } from '../views/order-stream.ts';
import { counting as holding, freely, testSealer } from '../../platform/testing.ts';
import { exchangeRoutes } from '../routes.ts';
import { type World, openWorld } from './world.testing.ts';

const code = (name: string) => (error: Problem) => error.code === name;

describe('the calls of the exchange', () => {
  let world: World;
  let watch: VersionWatch;
  let streamOf: ReturnType<typeof openOrderStream>;
  let bound: ReturnType<typeof exchangeRoutes>;
  let context: Context;
  before(async () => {
    world = await openWorld();
    watch = watchOrders(world.db);
    streamOf = openOrderStream({ ...world.deps, watch });
    bound = exchangeRoutes({ ...world.deps, sealer: testSealer, factors: testSealer, operators: async () => 2 });
    context = {
      db: world.db,
      locale: 'en',
      clientId: 'web',
      userAgent: '',
      ip: '203.0.113.9',
      deviceKey: 'd',
      ...freely,
    };
  });
  after(async () => {
    await watch.stop();
    await world.close();
  });

  const known = (order: StoredOrder) => ({ id: order.number, token: world.token(order) });

  test('process-order answers as promised, and the same again to a repeated call', async () => {
    const calculation = await world.calculate();
    const placed = await bound.processOrder(calculation, context);
    assert.deepEqual(routes.processOrder.output.parse(placed), placed);
    assert.deepEqual([placed.status, placed.can_cancel, placed.pay?.amount], ['waiting', true, '0.00500000']);
    const { id, token } = placed;
    const leadsThere = (error: Problem) =>
      error.code === 'calculation_used' && isDeepStrictEqual(error.details.order, { id, token });
    await assert.rejects(bound.processOrder(calculation, context), leadsThere);
    await assert.rejects(bound.calculation(calculation, context), leadsThere);
    const stranger = { id: calculation.id, token: 'x'.repeat(43) };
    await assert.rejects(bound.processOrder(stranger, context), code('calculation_not_found'));
    await assert.rejects(bound.processOrder({ id: calculation.id }, context), code('calculation_not_found'));
    const again = await bound.processOrder(calculation, { ...context, isRepeated: true });
    assert.equal(JSON.stringify(again), JSON.stringify(placed));
  });

  test('payment instructions are given until money came, and only for existing ways', async () => {
    const order = await world.place();
    const input = { order_id: order.number, token: world.token(order) };
    assert.equal((await bound.processTransaction(input, context)).pay.address, order.payTo);
    await assert.rejects(bound.processTransaction({ ...input, gateway: 'paypal' }, context), code('gateway_unknown'));
    await assert.rejects(bound.processTransaction({ ...input, token: 'x'.repeat(43) }, context), code('order_not_found'));
    await bound.expire(known(order), context);
    await assert.rejects(bound.processTransaction(input, context), code('order_changed'));
  });

  test('a token shows everything; an e-mail address only the status, and the link is mailed to it', async () => {
    const order = await world.place();
    const shown = await bound.trackOrder(known(order), context);
    assert.deepEqual(routes.trackOrder.output.parse(shown), shown);
    const little = await bound.trackOrder({ id: order.number, email: order.email.toUpperCase() }, context);
    assert.deepEqual(Object.keys(little).toSorted(), ['id', 'link_mailed', 'status', 'updated_at']);
    assert.ok((await world.letters(order)).includes('link'));
    await assert.rejects(bound.trackOrder({ id: order.number, email: 'else@example.org' }, context), code('order_not_found'));
    await assert.rejects(bound.trackOrder({ id: order.number }, context), code('order_not_found'));
  });

  test('strangers use up none of an owner’s attempts; every spelling of the address is accepted', async () => {
    const order = await world.place({ email: `Some.One${Math.random()}@gmail.com` });
    const limiter = createLimiter();
    const from = (ip: string): Context => ({
      ...context,
      limit: async (key, limit) => limiter.take(key, limit),
      limitNetwork: async (key, limit) => limiter.take(`${key} ${ip}`, limit),
    });
    const track = (email: string, ip: string) => bound.trackOrder({ id: order.number, email }, from(ip));
    for (let tries = 0; tries < 40; tries += 1)
      await assert.rejects(track('else@example.org', 'stranger'), code(tries < 30 ? 'order_not_found' : 'rate_limited'));
    const spellings = [order.email, order.email.toUpperCase(), order.email.replace('@gmail', '+tag@gmail')];
    for (let request = 0; request < 40; request += 1) await track(spellings[request % 3] as string, 'owner');
    assert.ok((await world.letters(order)).filter((kind) => kind === 'link').length <= 2, 'a mailbox is filled by nobody');
  });

  test('somebody who knows only an order’s number uses up none of its holder’s limits', async () => {
    const order = await world.place();
    const counting: Context = { ...context, ...holding() };
    const [stranger, holder] = [{ id: order.number, token: 'x'.repeat(43) }, known(order)];
    const actions = {
      choose: (key: typeof holder) => bound.orderChoose({ ...key, choice: 'refund', otp: '000000' }, counting),
      redeem: (key: typeof holder) => bound.orderRedeem({ ...key, fields: { number: '1' } }, counting),
      voucher: (key: typeof holder) => bound.orderVoucher(key, counting),
    };
    for (const action of Object.values(actions)) {
      for (let tries = 0; tries < 40; tries += 1) await assert.rejects(action(stranger), code('order_not_found'));
      await assert.rejects(action(holder), (error: Problem) => error.code !== 'rate_limited');
    }
  });

  test('a code is valid only where it was requested, and another’s request doesn’t replace it', async () => {
    const order = await world.place();
    const mine = await bound.orderGetOtp(known(order), context);
    const otp = await world.code(order);
    const theirs = await bound.orderGetOtp(known(order), context);
    assert.notEqual(theirs.handle, mine.handle);
    const what = { purpose: 'order', subject: order.view.id } as const;
    for (let tries = 0; tries < 6; tries += 1)
      await tryCode(world.db, { ...what, handle: theirs.handle }, 'wrong!').catch(() => {});
    await assert.rejects(tryCode(world.db, what, otp), code('code_expired'));
    await tryCode(world.db, { ...what, handle: mine.handle }, otp);
  });

  test('only sent codes count, and endless requests are limited', async () => {
    const order = await world.place();
    const limiter = createLimiter();
    const counting: Context = { ...context, limit: async (key, limit) => limiter.take(key, limit) };
    let handle: string | undefined;
    const ask = async () => void ({ handle } = await bound.orderGetOtp({ ...known(order), ...(handle && { handle }) }, counting));
    await ask();
    for (let tries = 0; tries < 20; tries += 1) await assert.rejects(ask(), code('rate_limited'));
    for (let sent = 1; sent < 5; sent += 1) {
      await world.pass(2);
      await ask();
    }
    const fifth = await world.code(order);
    await world.pass(2);
    await assert.rejects(ask(), (error: Problem) => error.code === 'rate_limited' && error.details.max === 5);
    assert.equal(await world.code(order), fifth);
    for (let tries = 0; tries < 40; tries += 1) await ask().catch(() => {});
    await assert.rejects(ask(), (error: Problem) => error.details.max === 60);
  });

  test('a code is mailed to the order’s address', async () => {
    const order = await world.place();
    const { handle } = await bound.orderGetOtp(known(order), context);
    assert.match(await world.code(order), /^\d{6}$/);
    await assert.rejects(bound.orderGetOtp({ ...known(order), handle }, context), code('rate_limited'));
  });

  test('the stream reports each change, and resumes after the last one', async () => {
    const order = await world.place();
    const sent: { id: string; data: unknown }[] = [];
    const gone = new AbortController();
    const stream = {
      lastEventId: undefined,
      signal: gone.signal,
      send: (event: { id: string; data: unknown }) => void sent.push(event),
      end: () => {},
    };
    await (await streamOf(known(order))).report(stream);
    assert.equal(sent.length, 1);
    world.pay(order);
    await world.mine();
    const { view } = await world.order(order);
    const isReported = (): boolean => sent.at(-1)?.id === String(view.version);
    for (let poll = 0; poll < 60 && !isReported(); poll += 1) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(isReported());
    assert.equal((sent.at(-1) as { data: { status: string } }).data.status, 'paying');
    const resumed: unknown[] = [];
    const last = { ...stream, lastEventId: String(view.version), send: (event: unknown) => void resumed.push(event) };
    await (await streamOf(known(order))).report(last);
    assert.deepEqual(resumed, []);
    gone.abort();
  });

  test('a stream needs the secret, and ends once that is replaced', async () => {
    const order = await world.place();
    await assert.rejects(streamOf({ id: order.number, token: 'x'.repeat(43) }), code('order_not_found'));
    const gone = new AbortController();
    const stream = { lastEventId: undefined, signal: gone.signal, send: () => {}, end: () => gone.abort() };
    const { of, report } = await streamOf(known(order));
    assert.equal(of, `order ${order.view.id}`);
    const ended = new Promise((done) => gone.signal.addEventListener('abort', done));
    await report(stream);
    await world.db.run('update customer_order set token_version = token_version + 1 where id = $1', [order.view.id]);
    await Promise.race([ended, sleep(15_000, undefined, { ref: false })]);
    assert.ok(gone.signal.aborted);
  });

  test('the stream reports the order’s chat too, and a returning reader gets missed events of both', async () => {
    const order = await world.place();
    let version = 0;
    let say = (_version: number): void => assert.fail('nobody listens');
    const chats = {
      versionOf: async () => version,
      listen: (_id: string, _seen: number, reported: typeof say) => ((say = reported), () => {}),
    };
    const talking = exchangeRoutes({
      ...world.deps,
      chats,
      sealer: testSealer,
      factors: testSealer,
      operators: async () => 2,
    });
    const talkingStream = openOrderStream({ ...world.deps, watch, chats });
    const sent: { id: string; event: string }[] = [];
    const gone = new AbortController();
    const news = Promise.withResolvers<void>();
    const send = (event: { id: string; event: string }): void => (
      sent.push(event),
      event.event === 'message' ? news.resolve() : undefined
    );
    const stream = { lastEventId: undefined, signal: gone.signal, send, end: () => {} };
    await (await talkingStream(known(order))).report(stream);
    version = 3;
    say(version);
    await news.promise;
    const mark = `${order.view.version}.3`;
    assert.deepEqual(
      sent.map(({ id, event }) => [id, event]),
      [
        [String(order.view.version), 'order'],
        [mark, 'message'],
      ],
    );
    assert.equal((await talking.orderStatus(known(order), context)).messages, 3);
    await (await talkingStream(known(order))).report({ ...stream, lastEventId: mark });
    assert.equal(sent.length, 2);
    await (await talkingStream(known(order))).report({ ...stream, lastEventId: String(order.view.version) });
    assert.equal(sent.at(-1)?.id, mark);
    gone.abort();
  });

  test('an order shows each confirmation of its rail, without a write per block', async () => {
    const order = await world.place({ from: 'USDT_ERC20', amount: '500' });
    world.pay(order);
    await world.mine();
    const written = () =>
      world.db.row('select xmin::text, version from customer_order where id = $1', [order.view.id]) as Promise<object>;
    const shown = async (): Promise<(number | undefined)[]> => {
      const page = await bound.trackOrder(known(order), context);
      assert.ok('transfers' in page);
      const { confirmations } = await bound.orderStatus(known(order), context);
      return [page.transfers[0]?.confirmations, page.confirmations, confirmations];
    };
    const first = await written();
    const mark = (confirmations: number): string => `${(first as { version: number }).version}+${confirmations}`;
    const last = Promise.withResolvers<void>();
    const gone = new AbortController();
    const send = ({ id }: { id: string }): void => (assert.notEqual(id, mark(1)), id === mark(11) ? last.resolve() : undefined);
    await (await streamOf(known(order))).report({ lastEventId: mark(1), signal: gone.signal, send, end: () => {} });
    for (let block = 1; block < 12; block += 1) {
      assert.deepEqual(await shown(), [block, block, block]);
      if (block < 11) await world.mine();
    }
    await last.promise;
    gone.abort();
    assert.deepEqual(await written(), first);
    await world.mine();
    assert.deepEqual(await shown(), [12, undefined, undefined], 'final: no more of it is awaited');
  });

  test('the page of an order that waits for a choice shows amounts and deadlines; its unallocated payment has a page of its own', async () => {
    const order = await world.place();
    world.pay(order, '0.008');
    await world.mine(2);
    const shown = await bound.trackOrder(known(order), context);
    assert.ok('related' in shown);
    const [unallocated] = shown.related;
    assert.ok(unallocated);
    const page = await bound.trackOrder(unallocated, context);
    assert.ok('choices' in page);
    assert.equal(page.kind, 'unallocated');
    assert.deepEqual(
      page.related.map(({ id, kind }) => [id, kind]),
      [[order.number, 'order']],
    );
    assert.deepEqual(
      page.choices.map((one) => [one.choice, one.money?.currency]),
      [
        ['new_order', 'USDT_ERC20'],
        ['refund', 'BTC'],
      ],
    );
    assert.ok(page.choose_by);
  });

  test('the page of an underpaid order names the missing sum while paying it keeps the rate', async () => {
    const shown = async (order: StoredOrder) => {
      const page = await bound.trackOrder(known(order), context);
      assert.ok('choices' in page);
      return page;
    };
    const enough = await world.place();
    const little = await world.place();
    world.pay(enough, '0.0045');
    world.pay(little, '0.002');
    await world.mine(2);
    for (const [order, due] of [
      [enough, '0.00050000'],
      [little, '0.00300000'],
    ] as const) {
      const page = await shown(order);
      assert.equal(page.due?.amount, due);
      assert.equal(page.pay?.amount, due);
    }
    const { short_at: shortAt, expires_at: until, choose_by: chooseBy, status } = await shown(enough);
    assert.deepEqual(
      [status, shortAt, chooseBy],
      ['choose', until, until],
      'it goes on by itself: until then it can be chosen about',
    );
    assert.equal((await shown(little)).short_at, undefined);
    await world.pass(16);
    const late = await shown(little);
    assert.deepEqual([late.due, late.pay], [undefined, undefined], 'the rate is gone: nothing more is asked for');
  });
});
