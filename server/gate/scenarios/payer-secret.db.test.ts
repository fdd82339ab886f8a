// The payer's secret: who gets it, and what it opens.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { routes } from '@kurs/contract';
import { queuedLetters } from '../../deliveries/testing.ts';
import { readOrder } from '../../exchange/index.ts';
import type { Context } from '../../platform/index.ts';
import { freely, testSealer } from '../../platform/testing.ts';
import { currentOption } from '../invoices/options.ts';
import { invoiceRoutes } from '../invoice-routes.ts';
import { readInvoice } from '../rows/invoice-rows.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

let world: InvoiceWorld;
let bound: ReturnType<typeof invoiceRoutes>;
let context: Context;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
  bound = invoiceRoutes({ db: world.db, sender: world.sender, sealer: testSealer });
  context = { db: world.db, locale: 'en', ip: '203.0.113.9', deviceKey: 'd', ...freely } as unknown as Context;
});
after(() => world.close());

test('the first choice of a method brings the secret, and no other call does', async () => {
  const { view } = await world.make();
  const { id } = view;
  const first = await bound.paymentMethod({ id, method: 'PAYEER_USD' }, context);
  assert.deepEqual(routes.paymentMethod.output.parse(first), first);
  assert.ok(first.secret);
  for (const again of [
    await bound.paymentMethod({ id, method: 'PAYEER_USD' }, context),
    await bound.paymentMethod({ id, method: 'BTC' }, context),
  ])
    assert.equal(again.secret, undefined);
  const shown = await bound.paymentInvoice({ id, secret: first.secret }, context);
  assert.deepEqual(routes.paymentInvoice.output.parse(shown), shown);
  assert.equal('secret' in shown, false);
});

/** Makes an invoice as a shop that names the method itself. */
const makeNamed = (more: { email?: string } = {}) =>
  bound.invoiceMake({ store: world.store.id, amount: '20.00', lines: [], metadata: {}, method: 'PAYEER_USD', ...more }, context);

test('a shop that names the method gets no secret; the first buyer who chooses one does, even the same', async () => {
  for (const method of ['PAYEER_USD', 'USDT_ERC20']) {
    const made = await makeNamed();
    assert.equal('secret' in made, false);
    const { id, option } = made;
    const shown = await bound.paymentInvoice({ id }, context);
    assert.deepEqual([shown.chosen_by_store, shown.option?.method], [true, 'PAYEER_USD']);
    const first = await bound.paymentMethod({ id, method }, context);
    assert.deepEqual(routes.paymentMethod.output.parse(first), first);
    assert.ok(first.secret, method);
    assert.deepEqual([first.chosen_by_store, first.version], [false, shown.version + 1]);
    if (method === 'PAYEER_USD') assert.equal(first.option?.expires_at, option?.expires_at, 'the price stays');
    for (const again of ['PAYEER_USD', 'BTC'])
      assert.equal((await bound.paymentMethod({ id, method: again }, context)).secret, undefined);
  }
  assert.deepEqual(await world.prove(), []);
});

test('with a method named by the shop, money goes to the address that the buyer leaves before paying', async () => {
  const { id } = await makeNamed();
  await bound.paymentEmail({ id, email: 'zoe@example.org' }, context);
  await world.turn();
  world.pay(currentOption((await readInvoice(world.db, id)).view) ?? assert.fail(), '150');
  await world.mine();
  const letters = await queuedLetters(world.db, { to: 'zoe@example.org' });
  const letter =
    letters.find(({ text }) => text.includes('/En/order?id=')) ?? assert.fail('no letter with the link of the money');
  assert.match(letter.text, /You paid more than the invoice needed/);
});

test('once a payment came, the link of an invoice whose method the shop named brings no secret and no money', async () => {
  const { id } = await makeNamed();
  await world.turn();
  world.pay(currentOption((await readInvoice(world.db, id)).view) ?? assert.fail(), '10');
  await world.mine();
  const shown = await bound.paymentInvoice({ id }, context);
  assert.equal(shown.chosen_by_store, false);
  assert.equal((await bound.paymentMethod({ id, method: 'BTC' }, context)).secret, undefined);
  await bound.paymentEmail({ id, email: 'mallory@example.org' }, context);
  await world.turn();
  world.pay((await readInvoice(world.db, id)).view.options[0] ?? assert.fail(), '150');
  await world.mine();
  assert.ok((await bound.paymentInvoice({ id }, context)).payments.some(({ over, status }) => over || status === 'unallocated'));
  const letters = await queuedLetters(world.db, { to: 'mallory@example.org' });
  assert.deepEqual(
    letters.filter(({ key }) => key.startsWith('order ')),
    [],
  );
});

test('with the secret each payment shows its unallocated payment; without it, or with another’s, only the amount', async () => {
  const [invoice, other] = [await world.make(), await world.make()];
  const { id } = invoice.view;
  const { secret } = await bound.paymentMethod({ id, method: 'PAYEER_USD' }, context);
  const wrong = (await bound.paymentMethod({ id: other.view.id, method: 'PAYEER_USD' }, context)).secret;
  await world.turn();
  world.pay(currentOption((await world.read(invoice)).view) ?? assert.fail(), '150');
  await world.mine();
  const shown = await bound.paymentInvoice({ id, secret }, context);
  assert.deepEqual(routes.paymentInvoice.output.parse(shown), shown);
  const [payment = assert.fail()] = shown.payments;
  assert.ok(payment.order);
  const order = (await readOrder(world.db, payment.order.id)) ?? assert.fail();
  assert.ok(world.sender.tokens.check(payment.order.token, 'order', order.view.id, order.tokenVersion));
  assert.deepEqual(order.view.pinned.paidFor, { number: invoice.number, why: 'over' });
  for (const given of [undefined, wrong, 'x'.repeat(43)]) {
    const [known = assert.fail()] = (await bound.paymentInvoice({ id, ...(given && { secret: given }) }, context)).payments;
    assert.deepEqual([known.order, known.over], [undefined, payment.over]);
  }
  const ofStore = await bound.storeInvoice({ store: world.store.id, id }, context);
  assert.equal(JSON.stringify(ofStore).includes(payment.order.token), false);
});

test('an address that somebody else leaves gets the receipt, and neither the payer’s money nor its codes', async () => {
  const invoice = await world.make();
  const { id } = invoice.view;
  const { secret } = await bound.paymentMethod({ id, method: 'PAYEER_USD' }, context);
  const known = async (given?: string) =>
    (await bound.paymentInvoice({ id, ...(given && { secret: given }) }, context)).has_email;
  await bound.paymentEmail({ id, email: 'eve@example.org' }, context);
  assert.deepEqual([await known(), await known(secret)], [true, false], 'the payer may still leave theirs');
  await world.turn();
  world.pay(currentOption((await world.read(invoice)).view) ?? assert.fail(), '150');
  await world.mine();
  const [payment = assert.fail()] = (await bound.paymentInvoice({ id, secret }, context)).payments;
  const order = (await readOrder(world.db, payment.order?.id ?? '')) ?? assert.fail();
  assert.equal(order.email, '');
  assert.ok((await queuedLetters(world.db)).every(({ text }) => !text.includes(order.number)));
  assert.deepEqual(
    (await queuedLetters(world.db, { to: 'eve@example.org' })).map(({ key }) => key.split(' ')[0]),
    ['buyer'],
  );
});

test('the payer’s own address replaces one that somebody else left, and none replaces theirs or the shop’s', async () => {
  const invoice = await world.make();
  const { id } = invoice.view;
  const { secret } = await bound.paymentMethod({ id, method: 'PAYEER_USD' }, context);
  const leave = async (email: string, given?: string): Promise<string | undefined> => {
    await bound.paymentEmail({ id, email, ...(given && { secret: given }) }, context);
    return (await world.read(invoice)).email;
  };
  assert.equal(await leave('eve@example.org', 'x'.repeat(43)), 'eve@example.org');
  assert.equal(await leave('ann@example.org', secret), 'ann@example.org');
  assert.equal(await leave('eve@example.org'), 'ann@example.org');
  assert.equal(await leave('other@example.org', secret), 'ann@example.org');
  await world.turn();
  world.pay(currentOption((await world.read(invoice)).view) ?? assert.fail(), '150');
  await world.mine();
  const [payment = assert.fail()] = (await bound.paymentInvoice({ id, secret }, context)).payments;
  assert.equal((await readOrder(world.db, payment.order?.id ?? ''))?.email, 'ann@example.org');
  const ofShop = await world.make({ email: 'buyer@example.org' });
  await bound.paymentEmail({ id: ofShop.view.id, email: 'eve@example.org' }, context);
  assert.equal((await world.read(ofShop)).email, 'buyer@example.org');
  assert.deepEqual(await world.prove(), []);
});
