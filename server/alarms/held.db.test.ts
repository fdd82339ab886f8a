// The alarm about payments to invoices that only people end the hold of.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { screenPayments } from '../compliance/index.ts';
import { decideHeld } from '../gate/index.ts';
import { type InvoiceWorld, openInvoiceWorld } from '../gate/testing.ts';
import { heldWords, screenNobody, screenSenders } from './holds.testing.ts';

let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld();
  screenSenders();
});
after(async () => {
  screenNobody();
  await world.close();
});

const found = (): Promise<string[]> => heldWords(world.db);

/** Pays an invoice from an account, lets it be screened, and returns the id of the held payment. */
async function heldFrom(address: string): Promise<string> {
  const invoice = await world.make();
  world.pay(await world.choose(invoice, 'BTC'), undefined, { from: [address] });
  await world.mine();
  await screenPayments(world.db);
  for (let at = 0; at < 2; at += 1) await world.pass(1);
  const [payment] = (await world.read(invoice)).view.payments;
  assert.equal(payment?.stage, 'held');
  return payment.id;
}

test('a payment that only a person ends the hold of raises an alarm until then; a soft hold, which ends by time, raises none', async () => {
  await heldFrom('mixer');
  assert.deepEqual(await found(), []);
  const id = await heldFrom('thief');
  assert.deepEqual(await found(), ['1 payments to invoices are held until a person decides: see `desk held`.']);
  // Its time is over: it no longer counts, and is held all the same.
  await world.pass(73 * 60);
  assert.equal((await found()).length, 1);
  await world.db.tx((tx) => decideHeld(tx, world.sender, { id, action: 'refuse', by: ['carl'], reason: 'stolen' }));
  assert.deepEqual(await found(), []);
});
