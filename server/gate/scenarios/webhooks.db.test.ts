// Webhooks of a store: events of invoices reach a shop signed, in order, with the metadata as sent.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { queuedLetters } from '../../deliveries/testing.ts';
import { attemptsOf, listDeliveries, replay, secretsOf } from '../../deliveries/index.ts';
import { refusal, testSealer } from '../../platform/testing.ts';
import { cancelInvoice } from '../actions/change-invoice.ts';
import { readInvoice } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { mailTroubledWebhooks } from '../webhooks/letters.ts';
import { readEvents } from '../webhooks/read-events.ts';
import { sendTest } from '../webhooks/test-delivery.ts';
import { deliveriesView, deliveryView } from '../webhooks/views.ts';
import {
  changeWebhook,
  endFormerOf,
  makeWebhook,
  removeWebhook,
  replayDelivery,
  rotateWebhook,
  webhooksOf,
} from '../webhooks/webhooks.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';
import { type Received, type Receiver, openReceiver, verifyBtcpay, verifyStandard } from './receiver.testing.ts';

const HOUR_MINUTES = 60;
let world: InvoiceWorld;
let shop: Receiver;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
  shop = await openReceiver();
});
after(async () => {
  await shop.close();
  await world.close();
});
afterEach(async () => {
  for (const { id } of await webhooksOf(world.db, world.store.id)) await removeWebhook(world.db, { store: world.store.id, id });
  shop.received.length = 0;
  shop.answer = () => 200;
});

const deps = () => ({ db: world.db, webhooks: testSealer, privateOrigin: shop.origin });
async function webhook(more: Partial<Parameters<typeof makeWebhook>[1]> = {}) {
  const input = { store: world.store.id, url: `${shop.origin}/hook`, body: 'kurs' as const, ...more };
  const { endpoint, secret } = await makeWebhook(deps(), input);
  return { of: { id: endpoint.id, store: world.store.id }, secret };
}
/** Delivers until nothing more arrives. */
async function deliver(): Promise<void> {
  for (let before = -1; before !== shop.received.length;) {
    before = shop.received.length;
    await shop.deliver(world.db);
  }
}
const invoiceIdOf = ({ body }: Received): unknown => (body['data'] as { id?: string } | undefined)?.id ?? body['invoiceId'];
const typesOf = (invoice: StoredInvoice): string[] =>
  shop.received.filter((one) => invoiceIdOf(one) === invoice.view.id).map(({ type }) => type);

/** Makes an invoice that is paid by USDT in full. */
async function paid(more: Parameters<InvoiceWorld['make']>[0] = {}): Promise<StoredInvoice> {
  const invoice = await world.make(more);
  world.pay(await world.choose(invoice, 'USDT_TRC20'));
  await world.pass(1);
  await world.mine();
  return invoice;
}

test('a paid invoice is told in order, with versions, sums and both signatures', async () => {
  const { secret } = await webhook();
  const invoice = await paid({ order_id: 'A-1' });
  await deliver();
  const types = ['created', 'payment_seen', 'processing', 'payment_final', 'settled'];
  assert.deepEqual(
    typesOf(invoice),
    types.map((type) => `invoice.${type}`),
  );
  const datas = shop.received.map(({ body }) => body['data'] as Record<string, unknown>);
  const versions = datas.map(({ version }) => Number(version));
  assert.deepEqual(
    versions,
    versions.toSorted((a, b) => a - b),
  );
  const last = datas.at(-1) ?? assert.fail();
  assert.deepEqual(
    [last['state'], last['order_id'], last['amount'], last['due'], last['test']],
    ['settled', 'A-1', '100.00', '0.00', false],
  );
  assert.equal((datas[1]?.['payment'] as { status?: string } | undefined)?.status, 'seen');
  for (const one of shop.received) {
    verifyStandard(one, secret);
    verifyBtcpay(one, secret);
  }
  assert.throws(() => verifyStandard({ ...(shop.received[0] ?? assert.fail()), text: '{}' }, secret));
});

test('an endpoint takes only the events that it chose', async () => {
  await webhook({ events: ['invoice.settled'] });
  const invoice = await paid();
  await deliver();
  assert.deepEqual(typesOf(invoice), ['invoice.settled']);
});

test('every other event of today is told, too', async () => {
  await webhook();
  const cancelled = await world.make();
  await cancelInvoice(world.db, { store: world.store.id, id: cancelled.view.id });
  const over = await world.make();
  world.pay(await world.choose(over, 'USDT_TRC20'), '150');
  await world.mine();
  const [short, expired, dropped] = [await world.make(), await world.make(), await world.make()];
  world.pay(await world.choose(short, 'USDT_TRC20'), '40');
  await world.mine();
  const option = await world.choose(dropped, 'BTC');
  const txid = world.pay(option);
  await world.pass(1);
  world.rails.BTC.world.doubleSpend(txid);
  await world.mine();
  await world.pass(25 * HOUR_MINUTES);
  for (let at = 0; at < 3; at += 1) await world.turn();
  await deliver();
  assert.ok(typesOf(cancelled).includes('invoice.cancelled'));
  assert.ok(typesOf(over).includes('invoice.over'));
  assert.ok(typesOf(short).includes('invoice.short'));
  assert.deepEqual(typesOf(expired), ['invoice.created', 'invoice.expired']);
  assert.deepEqual(
    typesOf(dropped).filter((type) => type === 'invoice.payment_dropped'),
    ['invoice.payment_dropped'],
  );
  assert.equal(typesOf(dropped).at(-1), 'invoice.expired');
});

const METADATA = {
  text: '000000161',
  exponent: '1e5',
  number: 161,
  nothing: null,
  nested: { list: [1, [2, { b: 1, aa: 2 }]], empty: {} },
  cyrillic: 'Заказ № 7 — «Ёж»',
  quoted: '"\\\u0001</script>',
};

for (const body of ['kurs', 'greenfield'] as const)
  test(`the body ${body} has the metadata byte for byte, up to 8 kB`, async () => {
    await webhook({ body });
    const large = { ...METADATA, filler: 'ж'.repeat(3_900) };
    for (const metadata of [METADATA, large]) {
      shop.received.length = 0;
      const invoice = await world.make({ metadata });
      await cancelInvoice(world.db, { store: world.store.id, id: invoice.view.id });
      await deliver();
      assert.equal(shop.received.length, 2);
      for (const one of shop.received) assert.ok(one.text.includes(`"metadata":${JSON.stringify(metadata)}`), one.text);
    }
  });

test('the body greenfield has what plug-ins read', async () => {
  const {
    of: { id },
    secret,
  } = await webhook({ body: 'greenfield' });
  const invoice = await paid({ metadata: { orderId: '1001' } });
  await deliver();
  assert.deepEqual(typesOf(invoice), [
    ...['InvoiceCreated', 'InvoiceReceivedPayment', 'InvoiceProcessing', 'InvoicePaymentSettled', 'InvoiceSettled'],
  ]);
  const ours = shop.received.filter((one) => invoiceIdOf(one) === invoice.view.id);
  const [, seen, , final, settled] = ours as [Received, Received, Received, Received, Received];
  const { body } = settled;
  assert.deepEqual(
    [body['webhookId'], body['storeId'], body['isRedelivery'], body['overPaid'], body['manuallyMarked']],
    [id, world.store.id, false, false, false],
  );
  assert.ok(!('test' in body));
  assert.equal(body['deliveryId'], body['originalDeliveryId']);
  assert.equal(typeof body['timestamp'], 'number');
  const payment = final.body['payment'] as Record<string, unknown>;
  assert.match(String(payment['id']), /^[^-]+-0$/);
  assert.deepEqual([payment['status'], payment['fee'], final.body['afterExpiration']], ['Settled', '0', false]);
  assert.equal((seen.body['payment'] as { status: string }).status, 'Processing');
  for (const one of shop.received) {
    verifyStandard(one, secret);
    verifyBtcpay(one, secret);
  }
});

test('a redelivery in the body greenfield names its first delivery', async () => {
  await webhook({ body: 'greenfield', events: ['InvoiceCreated'] });
  shop.answer = () => (shop.received.length > 1 ? 200 : 500);
  await world.make();
  await deliver();
  await world.pass(1);
  await deliver();
  const [first, again] = shop.received as [Received, Received];
  assert.equal(again.body['isRedelivery'], true);
  assert.equal(again.body['originalDeliveryId'], first.body['deliveryId']);
  assert.notEqual(again.body['deliveryId'], first.body['deliveryId']);
  assert.equal(again.headers['webhook-id'], first.headers['webhook-id']);
});

test('a shop that answers 500 to one event for an hour has every order right', async () => {
  await webhook({ body: 'greenfield' });
  const failing = new Map([
    [1, 'InvoiceProcessing'],
    [2, 'InvoiceReceivedPayment'],
  ]);
  const orders: StoredInvoice[] = [];
  shop.answer = ({ type, body }) =>
    failing.get(orders.findIndex(({ view }) => view.id === body['invoiceId'])) === type ? 500 : 200;
  for (let at = 0; at < 3; at += 1) orders.push(await world.make());
  for (const order of orders) world.pay(await world.choose(order, 'USDT_TRC20'));
  await world.pass(1);
  await deliver();
  await world.mine();
  for (let minute = 0; minute < HOUR_MINUTES; minute += 6) {
    await deliver();
    await world.pass(6);
  }
  shop.answer = () => 200;
  await world.pass(3 * HOUR_MINUTES);
  await deliver();
  for (const order of orders) {
    const states = typesOf(order).filter(
      (type) => /Processing|Settled$|Expired|Invalid/.test(type) && type !== 'InvoicePaymentSettled',
    );
    assert.equal(states.at(-1), 'InvoiceSettled', `${typesOf(order).join()}`);
  }
  const [whole = assert.fail()] = orders;
  assert.equal(typesOf(whole).at(-1), 'InvoiceSettled');
});

test('a replay of an event that a later state has overtaken is refused in the body greenfield', async () => {
  const { id, store } = (await webhook({ body: 'greenfield' })).of;
  const invoice = await paid();
  await deliver();
  const { data } = await deliveriesView(world.db, { store, id, page: 1, per_page: 20 });
  const of = (type: string) => data.find((row) => row.type === type && row.invoice === invoice.view.id)?.id ?? assert.fail(type);
  assert.equal(await refusal(() => replayDelivery(world.db, { store, id: of('InvoiceProcessing') })), 'delivery_overtaken');
  await replayDelivery(world.db, { store, id: of('InvoiceSettled') });
  await deliver();
  assert.equal(shop.received.at(-1)?.type, 'InvoiceSettled');
});

for (const body of ['kurs', 'greenfield'] as const)
  test(`an option that its buyer left is told nowhere after the invoice was settled: ${body}`, async () => {
    const { id, store } = (await webhook({ body })).of;
    const invoice = await world.make();
    await world.choose(invoice, 'BTC');
    world.pay(await world.choose(invoice, 'USDT_TRC20'));
    await world.pass(1);
    await world.mine();
    await world.pass(25 * HOUR_MINUTES);
    await world.turn();
    await deliver();
    assert.match(typesOf(invoice).at(-1) ?? '', /settled$/i);
    for (const row of (await deliveriesView(world.db, { store, id, page: 1, per_page: 20 })).data)
      await replayDelivery(world.db, { store, id: row.id }).catch(() => {});
    await deliver();
    assert.doesNotMatch(typesOf(invoice).join(), /expired|invalid/i);
  });

test('both secrets sign for 24 hours after a rotation, and BTCPay-Sig is keyed with the older one', async () => {
  const made = await webhook();
  const { secret: second } = await rotateWebhook(deps(), made.of);
  await world.make();
  await deliver();
  const [both = assert.fail()] = shop.received;
  for (const secret of [made.secret, second]) verifyStandard(both, secret);
  verifyBtcpay(both, made.secret);
  await world.pass(24 * HOUR_MINUTES + 1);
  await world.make();
  shop.received.length = 0;
  await deliver();
  const alone = shop.received.at(-1) ?? assert.fail();
  verifyStandard(alone, second);
  verifyBtcpay(alone, second);
  assert.throws(() => verifyStandard(alone, made.secret));
});

test('a member ends the older secret at once, and a secret that the shop brings is in force at once', async () => {
  const made = await webhook();
  const { secret: second } = await rotateWebhook(deps(), made.of);
  await endFormerOf(world.db, made.of);
  await world.make();
  await deliver();
  const [first = assert.fail()] = shop.received;
  verifyBtcpay(first, second);
  assert.throws(() => verifyStandard(first, made.secret));
  const own = 'a1b2c3d4'.repeat(6);
  assert.equal((await rotateWebhook(deps(), { ...made.of, secret: own })).secret, own);
  await world.make();
  await deliver();
  const brought = shop.received.at(-1) ?? assert.fail();
  verifyStandard(brought, own, true);
  verifyBtcpay(brought, own);
  assert.throws(() => verifyStandard(brought, second));
  assert.equal((await rotateWebhook(deps(), { ...made.of, secret: own })).secret, own, 'the same once more');
  assert.equal((await secretsOf(world.db, testSealer, made.of.id)).length, 1);
});

test('a shop that sends our own secret back keeps it', async () => {
  const made = await webhook();
  assert.equal((await rotateWebhook(deps(), { ...made.of, secret: made.secret })).secret, made.secret);
  await world.make();
  await deliver();
  verifyStandard(shop.received.at(-1) ?? assert.fail(), made.secret);
});

test('a call made while a delivery is open sees at least the state of its event', async () => {
  await webhook();
  const seen: boolean[] = [];
  shop.answer = async ({ body }) => {
    const { id, version, state } = body['data'] as { id: string; version: number; state: string };
    const { view } = await readInvoice(world.db, id);
    seen.push(view.version > version || (view.version === version && view.state === state));
    return 200;
  };
  await paid();
  await deliver();
  assert.ok(seen.length >= 5 && seen.every(Boolean));
});

test('a test delivery is sent once, and its answer stands in the log', async () => {
  const { id, store } = (await webhook({ body: 'greenfield' })).of;
  shop.answer = () => 503;
  const { delivery } = await sendTest(world.db, { store, id, event: 'InvoiceSettled' });
  await deliver();
  await world.pass(HOUR_MINUTES);
  await deliver();
  assert.equal(shop.received.length, 1);
  assert.match(String(shop.received[0]?.body['invoiceId']), /^__test__/);
  assert.equal(shop.received[0]?.body['test'], true);
  const shown = await deliveryView(world.db, { store, id: delivery });
  assert.deepEqual([shown.state, shown.status, shown.attempts.length], ['given_up', 503, 1]);
  assert.equal(shown.body, shop.received[0]?.text);
  const [{ failing } = { failing: null }] = await world.db.rows<{ failing: Date | null }>(
    'select failing_since as failing from delivery_endpoint where id = $1',
    [id],
  );
  assert.equal(failing, null, 'a test says nothing about the endpoint');
});

test('a webhook of another store is unknown', async () => {
  const { of } = await webhook();
  const stranger = { ...of, store: '00000000-0000-7000-8000-000000000000' };
  assert.equal(await refusal(() => removeWebhook(world.db, stranger)), 'not_found');
  await world.make();
  await deliver();
  const [row = assert.fail()] = (await listDeliveries(world.db, { page: 1, per_page: 1, endpoint: of.id })).rows;
  assert.equal(await refusal(() => deliveryView(world.db, { ...stranger, id: row.id })), 'not_found');
  assert.equal((await attemptsOf(world.db, row.id)).length, 1);
  assert.equal(await world.db.tx((tx) => replay(tx, row.id)), true);
});

test('members are told by letter after a day of failures, and when a webhook is off', async () => {
  const { of } = await webhook();
  const letters = async () => (await queuedLetters(world.db, { key: `webhook % ${of.id} %` })).map(({ subject }) => subject);
  shop.answer = () => 500;
  await world.make();
  await deliver();
  await mailTroubledWebhooks(world.db, world.sender);
  assert.deepEqual(await letters(), [], 'not at once');
  for (let day = 1; day <= 6; day += 1) {
    await world.pass(24 * HOUR_MINUTES);
    await deliver();
    for (const _ of [1, 2]) await mailTroubledWebhooks(world.db, world.sender);
    if (day === 1) assert.match((await letters()).join(), /^Webhooks of the store .* don’t arrive$/);
  }
  assert.match((await letters())[1] ?? '', /is off$/);
  assert.equal((await letters()).length, 2);
  assert.equal(await refusal(() => sendTest(world.db, of)), 'webhook_off');
});

const BAD = [
  ...['http://shop.example/', 'https://user:pass@shop.example/', 'ftp://shop.example/', 'https://127.0.0.1/'],
  ...['https://169.254.169.254/latest/meta-data', 'https://[::1]/', 'https://0x7f.1/', 'https://2130706433/'],
  ...['https://[::ffff:10.0.0.1]/', 'https://localhost/', 'https://10.1.2.3:8443/', 'https://[fd00::1]/'],
];
for (const url of BAD)
  test(`a webhook can’t have the address ${url}`, async () => {
    const made = await webhook();
    for (const change of [() => webhook({ url }), () => changeWebhook(deps(), { ...made.of, url })])
      assert.match(await refusal(change), /^url_(private|format)$/);
  });

test('events are read by a cursor, with what webhooks say', async () => {
  await webhook();
  const { next: begin } = await readAll();
  const invoice = await paid({ metadata: METADATA });
  await deliver();
  const { events, next } = await readAll(begin);
  const ours = events.filter(({ data }) => data.id === invoice.view.id);
  assert.deepEqual(
    ours.map((event) => [event.id, event.type, 'version' in event.data && event.data.version]),
    shop.received.map(({ headers, type, body }) => [headers['webhook-id'], type, (body['data'] as { version: number }).version]),
  );
  for (const [at, { data }] of ours.entries()) assert.deepEqual(data, shop.received[at]?.body['data']);
  assert.deepEqual((await readAll(next)).events, []);
});

test('the cursor of events skips none that commits late', async () => {
  const { next: begin } = await readAll();
  let late: StoredInvoice | undefined;
  await world.db.tx(async (tx) => {
    // Begins first, and commits last.
    await tx.row('select pg_current_xact_id()');
    late = await world.make();
    const { events } = await readAll(begin);
    assert.deepEqual(events, [], 'a transaction that is older than the event still runs');
  });
  const { events } = await readAll(begin);
  assert.deepEqual(
    events.map(({ data }) => data.id),
    [late?.view.id],
  );
});

async function readAll(after?: string) {
  const events: Awaited<ReturnType<typeof readEvents>>['events'] = [];
  let next = after;
  for (let more = true; more;) {
    const page = await readEvents(world.db, { store: world.store.id, after: next, limit: 3 });
    events.push(...page.events);
    ({ next, more } = page);
  }
  return { events, next };
}
