// Metadata and e-mail addresses of invoices are forgotten some time after the invoices ended.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forgetInvoices } from '../apply/forget-invoices.ts';
import { cancelInvoice } from '../actions/change-invoice.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

const DAY = 1_440;
let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
});
after(() => world.close());

const make = (): Promise<StoredInvoice> =>
  world.make({ email: 'buyer@example.org', metadata: { cart: 7 }, order_id: 'A-7', life_minutes: 10_080 });
const known = async (invoice: StoredInvoice): Promise<unknown> => {
  const { email, metadata, orderId, isAltered } = await world.read(invoice);
  return [email, metadata, orderId, isAltered];
};
const KNOWN = ['buyer@example.org', '{"cart":7}', 'A-7', undefined];
const FORGOTTEN = [undefined, '{}', 'A-7', undefined];

test('forgets what an invoice says of its buyer 400 days after it ended, and nothing else', async () => {
  const [paid, cancelled, altered] = [await make(), await make(), await make()];
  world.pay(await world.choose(paid, 'USDT_TRC20'));
  await world.mine();
  for (const { view } of [cancelled, altered]) await cancelInvoice(world.db, { store: world.store.id, id: view.id });
  const before = (await world.read(paid)).view;
  await world.pass(399 * DAY);
  const open = await make();
  assert.equal(await forgetInvoices(world.db), 0);
  assert.deepEqual(await known(paid), KNOWN);
  await world.owner.run(`update invoice set order_id = 'B-8' where id = $1`, [altered.view.id]);
  await world.pass(2 * DAY);
  assert.equal(await forgetInvoices(world.db), 2);
  assert.deepEqual([await known(paid), await known(cancelled), await known(open)], [FORGOTTEN, FORGOTTEN, KNOWN]);
  assert.equal((await world.read(altered)).email, 'buyer@example.org', 'evidence stays');
  assert.deepEqual((await world.read(paid)).view, before, 'sums and payments stay');
  assert.equal(await forgetInvoices(world.db), 0);
  await world.owner.run(`update invoice set order_id = 'A-7' where id = $1`, [altered.view.id]);
  assert.deepEqual(await world.prove(), []);
});
