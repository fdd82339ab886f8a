// Events of refunds and settlements: they reach shops by webhooks and by the cursor, with the same content.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, afterEach, before, test } from 'node:test';
import type { StoreEvent } from '@kurs/contract';
import { testSealer } from '../../platform/testing.ts';
import type { Refund, RefundMaker } from '../refunds/machine/refund.ts';
import { readEvents } from '../webhooks/read-events.ts';
import { sendTest } from '../webhooks/test-delivery.ts';
import { deliveriesView, deliveryView } from '../webhooks/views.ts';
import { makeWebhook, removeWebhook, webhooksOf } from '../webhooks/webhooks.ts';
import { type Receiver, openReceiver, verifyBtcpay, verifyStandard } from './receiver.testing.ts';
import { type RefundWorld, openRefundWorld } from './refund-world.testing.ts';
import { moveByOwner } from './settlements.testing.ts';

const DAY_MINUTES = 1_440;
let world: RefundWorld;
let shop: Receiver;
before(async () => {
  world = await openRefundWorld();
  shop = await openReceiver();
});
after(async () => {
  await shop.close();
  await world.close();
});
afterEach(async () => {
  const store = world.store.id;
  for (const { id } of await webhooksOf(world.db, store)) await removeWebhook(world.db, { store, id });
  shop.received.length = 0;
});

async function webhook(more: { readonly body?: 'kurs' | 'greenfield'; readonly events?: StoreEvent[] } = {}) {
  const deps = { db: world.db, webhooks: testSealer, privateOrigin: shop.origin };
  const url = `${shop.origin}/hook`;
  const { endpoint, secret } = await makeWebhook(deps, { store: world.store.id, url, body: 'kurs', ...more });
  return { of: { id: endpoint.id, store: world.store.id }, secret };
}

/** Delivers until nothing more arrives, and returns the content of each received event of these types. */
async function told(beginning: string) {
  for (let before = -1; before !== shop.received.length;) {
    before = shop.received.length;
    await shop.deliver(world.db);
  }
  return shop.received
    .filter(({ type }) => type.startsWith(beginning))
    .map(({ type, body, headers }) => ({ type, id: headers['webhook-id'], data: body['data'] as Record<string, unknown> }));
}

/** Returns the position behind all events of the store. */
async function behind(): Promise<string> {
  for (let after: string | undefined; ;) {
    const { next, more } = await readEvents(world.db, { store: world.store.id, after, limit: 100 });
    after = next;
    if (!more) return next;
  }
}

/**
 * Returns the events after a cursor, once as many as these can be read. Transactions of other tests, in other databases of the
 * server, delay events that are committed meanwhile.
 */
async function readOnce(count: number, after: string) {
  for (let tries = 0; tries < 200; tries += 1) {
    const { events } = await readEvents(world.db, { store: world.store.id, after, limit: 100 });
    if (events.length >= count) return events;
    await sleep(50);
  }
  return assert.fail(`fewer than ${count} events can be read`);
}

/** Makes a refund of a paid invoice, which the claimant's level doesn't bound. */
const refundOfPaid = async (by?: RefundMaker): Promise<Refund> => world.refund({ invoice: (await world.paid()).view.id }, by);

test('a refund is told in order, with its sums, its claim and the order, and without addresses', async () => {
  const { of, secret } = await webhook();
  const invoice = await world.make({ amount: '100.00', order_id: 'A-7' });
  world.pay(await world.choose(invoice, 'USDT_ERC20'));
  await world.mine();
  const begin = await behind();
  const refund = await world.refund({ invoice: invoice.view.id, amount: '60.00', note: 'Sorry' });
  await world.claim(refund);
  await world.send();
  const events = await told('refund.');
  assert.deepEqual(
    events.map(({ type }) => type),
    ['refund.created', 'refund.claimed', 'refund.paid'],
  );
  const [created, claimed, paid] = events.map(({ data }) => data);
  for (const [at, data] of [created, claimed, paid].entries())
    assert.deepEqual(
      [data?.['id'], data?.['number'], data?.['invoice'], data?.['order_id'], data?.['test'], data?.['version']],
      [refund.id, refund.number, invoice.view.id, 'A-7', false, at + 1],
    );
  assert.deepEqual(
    [created?.['state'], created?.['amount'], created?.['claim']],
    ['open', { amount: '60.00', currency: 'USD' }, undefined],
  );
  assert.deepEqual(created?.['left'], [created?.['taken']]);
  const claim = paid?.['claim'] as Record<string, unknown>;
  assert.deepEqual([paid?.['state'], paid?.['left'], claim['status'], claim['method']], ['paid', [], 'done', 'USDT_ERC20']);
  for (const one of shop.received) {
    assert.doesNotMatch(one.text, /"to"|"email"/);
    verifyStandard(one, secret);
    verifyBtcpay(one, secret);
  }
  const read = await readOnce(events.length, begin);
  assert.deepEqual(
    read.map(({ type, id, data }) => ({ type, id, data })),
    events,
  );
  const log = (await deliveriesView(world.db, { ...of, page: 1, per_page: 20 })).data.filter(
    ({ type }) => type === 'refund.paid',
  );
  assert.deepEqual(
    log.map(({ refund: id, invoice: other }) => [id, other]),
    [[refund.id, undefined]],
  );
});

test('a claim that is refused, and a payout that comes back, are told', async () => {
  await webhook({ events: ['refund.failed', 'refund.returned'] });
  const key = { kind: 'key', id: '00000000-0000-7000-8000-000000000001', isProposed: true } as const;
  const waiting = await refundOfPaid(key);
  await world.claim(waiting);
  const { claims } = await world.look(waiting);
  await world.decide(claims[0]?.id ?? '', 'refuse');
  const [failed, ...others] = await told('refund.');
  assert.deepEqual([failed?.type, failed?.data['id'], failed?.data['state']], ['refund.failed', waiting.id, 'open']);
  assert.equal((failed?.data['claim'] as { status?: string } | undefined)?.status, 'refused');
  assert.deepEqual(others, []);
  const sent = await refundOfPaid();
  await world.claim(sent, { method: 'BTC' });
  await world.send();
  const [done] = (await world.look(sent)).claims;
  world.rails.BTC.world.revert(done?.txid ?? '');
  await world.send();
  const returned = (await told('refund.')).at(-1);
  assert.deepEqual([returned?.type, returned?.data['id'], returned?.data['state']], ['refund.returned', sent.id, 'open']);
  assert.match(JSON.stringify(returned?.data['left']), /"BTC"/);
});

test('the end of a refund and events of other types are not told', async () => {
  const refund = await refundOfPaid();
  await webhook({ events: ['refund.paid'] });
  await webhook({ body: 'greenfield' });
  await world.refund();
  await world.claim(refund);
  await world.pass(31 * DAY_MINUTES);
  await world.turn();
  assert.deepEqual(await told(''), []);
});

test('moves to the wallet and back are told', async () => {
  await webhook();
  const begin = await behind();
  const parts = 10_000_000n;
  const moved = await moveByOwner(world, 'to_wallet', { unit: 'USDT', parts });
  await moveByOwner(world, 'to_store', { unit: 'USDT', parts });
  const read = await readOnce(2, begin);
  assert.deepEqual(
    read.map(({ type, data }) => [type, 'cause' in data && [data.direction, data.cause, data.test]]),
    [
      ['settlement.moved', ['to_wallet', 'owner', false]],
      ['settlement.moved', ['to_store', 'owner', false]],
    ],
  );
  assert.deepEqual(read[0]?.data, { ...read[0]?.data, id: moved.id, sum: { amount: '10.00', currency: 'USDT' } });
  // Each move is an event of its own, so they arrive in any order.
  assert.deepEqual(
    (await told('settlement.')).toSorted((a, b) => String(a.id).localeCompare(String(b.id))),
    read.map(({ type, id, data }) => ({ type, id, data })).toSorted((a, b) => a.id.localeCompare(b.id)),
  );
});

for (const event of ['refund.paid', 'settlement.moved'] as const)
  test(`a test delivery of ${event} is about nothing that exists`, async () => {
    const { of } = await webhook({ events: [event] });
    const { delivery } = await sendTest(world.db, of);
    const [sent] = await told('');
    assert.deepEqual([sent?.type, sent?.data['test']], [event, true]);
    assert.match(String(sent?.data['id']), /^__test__/);
    assert.equal((await deliveryView(world.db, { store: of.store, id: delivery })).body, shop.received[0]?.text);
  });

test('the cursor reads the events of the last 30 days, wherever it stands', async () => {
  const begin = await behind();
  const types = async (count: number, after = begin) => (await readOnce(count, after)).map(({ type }) => type);
  await world.make();
  await world.pass(29 * DAY_MINUTES);
  await world.turn();
  assert.deepEqual(await types(2), ['invoice.created', 'invoice.expired']);
  await world.pass(2 * DAY_MINUTES);
  assert.deepEqual(await types(1), ['invoice.expired']);
  await world.make();
  assert.deepEqual(await types(2), ['invoice.expired', 'invoice.created']);
  await world.pass(DAY_MINUTES);
  await world.turn();
  await world.pass(31 * DAY_MINUTES);
  const read = await readEvents(world.db, { store: world.store.id, after: begin, limit: 100 });
  assert.deepEqual(read, { events: [], next: begin, more: false });
});
