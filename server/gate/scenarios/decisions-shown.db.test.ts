// The view that a store has of money that came short or late: the decision in lists, and each choice in money.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { acceptInvoice, giveInvoiceBack } from '../actions/decide-invoice.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { decisionWire, decisionsOf } from '../views/decision-wire.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
});
after(() => world.close());

const now = (): Promise<Date> => world.db.now();
const shown = async (invoice: StoredInvoice) => decisionWire(world.db, (await world.read(invoice)).view, await now());
const listed = async (invoice: StoredInvoice) =>
  (await decisionsOf(world.db, [await world.read(invoice)], await now())).get(invoice.view.id);

async function ends(invoice: StoredInvoice): Promise<void> {
  for (let at = 0; at < 5 && (await world.read(invoice)).view.state === 'open'; at += 1) await world.pass(5);
}

async function short(): Promise<StoredInvoice> {
  const invoice = await world.make({ life_minutes: 15 });
  world.pay(await world.choose(invoice, 'BTC'), '0.0006');
  await world.mine();
  await ends(invoice);
  return world.read(invoice);
}

test('a short invoice shows what each choice brings, and a decision brings exactly that', async () => {
  const inputOf = ({ view }: StoredInvoice) => ({ store: view.store.id, id: view.id, version: view.version });
  const [first, second] = [await short(), await short()];
  assert.equal(await listed(first), 'short');
  const decision = (await shown(first)) ?? assert.fail();
  assert.deepEqual([decision.kind, decision.preset, decision.has_price], ['short', 'give_back', true]);
  assert.equal(decision.until, first.view.decideAt?.toISOString());
  const had = await world.merchant('USDT');
  await acceptInvoice(world, inputOf(first));
  const got = (await world.merchant('USDT')) - had;
  assert.deepEqual(decision.store_gets, [{ amount: (Number(got) / 1e6).toString(), currency: 'USDT' }]);
  const back = (await shown(second)) ?? assert.fail();
  const { view } = await giveInvoiceBack(world, inputOf(second));
  const parts = view.payments[0]?.givenBack?.parts ?? assert.fail();
  assert.deepEqual(back.payers_get, [{ amount: (Number(parts) / 1e8).toFixed(8), currency: 'BTC' }]);
  for (const invoice of [first, second]) assert.deepEqual([await listed(invoice), await shown(invoice)], [undefined, undefined]);
});

test('a late payment shows a decision until its time is over, and none without a price', async () => {
  const invoice = await world.make({ life_minutes: 15 });
  const option = await world.choose(invoice, 'BTC');
  await ends(invoice);
  assert.equal(await listed(invoice), undefined);
  world.pay(option);
  await world.mine();
  assert.equal(await listed(invoice), 'late');
  const decision = (await shown(invoice)) ?? assert.fail();
  assert.deepEqual([decision.kind, decision.sum, decision.has_price], ['late', '100.00', true]);
  assert.equal(decision.store_gets.length, 1);
  await world.closeRates();
  assert.deepEqual([(await shown(invoice))?.store_gets, (await shown(invoice))?.has_price], [[], false]);
  await world.price('90000');
  await world.pass(8 * 24 * 60);
  assert.deepEqual([await listed(invoice), await shown(invoice)], [undefined, undefined]);
});
