// Events about marks. In the body of the Greenfield API, plug-ins set an order's state by them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testSealer } from '../../platform/testing.ts';
import { markInvoice } from '../actions/mark-invoice.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { makeWebhook } from '../webhooks/webhooks.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';
import { type Receiver, openReceiver } from './receiver.testing.ts';

const DAY_MINUTES = 1_440;
let world: InvoiceWorld;
let shop: Receiver;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
  shop = await openReceiver();
  const deps = { db: world.db, webhooks: testSealer, privateOrigin: shop.origin };
  await makeWebhook(deps, { store: world.store.id, url: `${shop.origin}/hook`, body: 'greenfield' });
});
after(async () => {
  await shop.close();
  await world.close();
});

const mark = (invoice: StoredInvoice, as: 'settled' | 'invalid') =>
  markInvoice(world.db, { store: world.store.id, id: invoice.view.id, as });

async function deliver(): Promise<void> {
  for (let before = -1; before !== shop.received.length;) {
    before = shop.received.length;
    await shop.deliver(world.db);
  }
}

/** Returns the events of an invoice after its creation, each with true if a mark caused it. */
const told = ({ view: { id } }: StoredInvoice) =>
  shop.received
    .filter(({ type, body }) => body['invoiceId'] === id && type !== 'InvoiceCreated')
    .map(({ type, body }) => [type, body['manuallyMarked']]);

test('a mark is told as set by hand, and the end of a marked invoice is not', async () => {
  const [ended, expired, both, short] = [await world.make(), await world.make(), await world.make(), await world.make()];
  world.pay(await world.choose(short, 'USDT_TRC20'), '40');
  await world.mine();
  await mark(ended, 'invalid');
  await mark(expired, 'settled');
  await mark(both, 'invalid');
  await mark(both, 'settled');
  await mark(short, 'invalid');
  await world.pass(DAY_MINUTES + 60);
  for (let at = 0; at < 3; at += 1) await world.turn();
  await deliver();
  assert.deepEqual((await world.read(expired)).view.state, 'expired');
  assert.deepEqual(told(ended), [['InvoiceInvalid', true]]);
  assert.deepEqual(told(expired), [['InvoiceSettled', true]]);
  assert.deepEqual(told(both), [
    ['InvoiceInvalid', true],
    ['InvoiceSettled', true],
  ]);
  assert.deepEqual(told(short).at(-1), ['InvoiceInvalid', true]);
});

test('money that settles a marked invoice is told', async () => {
  const invoice = await world.make();
  const option = await world.choose(invoice, 'USDT_TRC20');
  await mark(invoice, 'settled');
  world.pay(option);
  await world.mine();
  await deliver();
  assert.equal((await world.read(invoice)).view.state, 'settled');
  assert.deepEqual(told(invoice).at(0), ['InvoiceSettled', true]);
  assert.deepEqual(told(invoice).at(-1), ['InvoiceSettled', false]);
});

test('an event of the body kurs, as of the cursor, says what the invoice was marked as', async () => {
  const deps = { db: world.db, webhooks: testSealer, privateOrigin: shop.origin };
  const store = world.store.id;
  await makeWebhook(deps, { store, url: `${shop.origin}/kurs`, body: 'kurs', events: ['invoice.created', 'invoice.marked'] });
  const invoice = await world.make();
  await mark(invoice, 'settled');
  await mark(invoice, 'invalid');
  await deliver();
  const own = shop.received.flatMap(({ path, type, body }) => {
    const { id, mark: as } = (body['data'] ?? {}) as { id?: string; mark?: string };
    return path === '/kurs' && id === invoice.view.id ? [[type, as]] : [];
  });
  const said = [
    ['invoice.created', undefined],
    ['invoice.marked', 'settled'],
    ['invoice.marked', 'invalid'],
  ];
  assert.deepEqual(own, said);
  const stored = await world.db.rows<{ as: string | null }>(
    `select data ->> 'mark' as "as" from invoice_event where invoice_id = $1 order by version`,
    [invoice.view.id],
  );
  assert.deepEqual(
    stored.map(({ as }) => as),
    [null, 'settled', 'invalid', null],
  );
});
