// Links with a limit of uses, and pay-what-you-want links, paid on the desk's rails.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { freely, refusal } from '../../platform/testing.ts';
import { chooseMethod } from '../actions/choose-method.ts';
import { payLink } from '../actions/pay-link.ts';
import { creditedOf } from '../invoices/invoice.ts';
import { changeLink, makeLink } from '../links/change-links.ts';
import type { Link } from '../links/link.ts';
import { usesOf } from '../links/link-uses.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
});
after(() => world.close());

const pays = (link: Link, amount?: string): Promise<StoredInvoice> =>
  payLink(world.db, { id: link.id, amount }, { ...freely, locale: 'en' });
const limited = (max_uses: number): Promise<Link> =>
  makeLink(world.db, { store: world.store.id, title: 'Ticket', currency: 'USD', amount: '100', max_uses });
const uses = async ({ id }: Link) => (await usesOf(world.db, [id]))(id);
const choice = (invoice: StoredInvoice, method = 'BTC') => chooseMethod(world.db, { id: invoice.view.id, method }, 'en');

test('a chosen method holds a use until its lock ends, and a payment spends it for good', async () => {
  const link = await limited(1);
  const [first, second] = [await pays(link), await pays(link)];
  assert.deepEqual(await uses(link), { spent: 0, held: 0 }, 'an invoice without an option holds nothing');
  await choice(first);
  assert.deepEqual(await uses(link), { spent: 0, held: 1 });
  assert.equal(await refusal(() => choice(second)), 'link_used_up');
  assert.equal(await refusal(() => pays(link)), 'link_used_up');
  await choice(first, 'USDT_TRC20');
  assert.deepEqual(await uses(link), { spent: 0, held: 1 }, 'another method of the same invoice takes no second use');
  await world.pass(16);
  assert.deepEqual(await uses(link), { spent: 0, held: 0 }, 'the lock is over');
  const option = await world.choose(second, 'BTC');
  world.pay(option);
  await world.pass(1);
  assert.deepEqual(await uses(link), { spent: 1, held: 0 });
  assert.equal(await refusal(() => choice(first)), 'link_used_up');
  await world.mine();
  assert.equal((await world.read(second)).view.state, 'settled');
  await world.pass(60);
  assert.deepEqual(await uses(link), { spent: 1, held: 0 });
  await changeLink(world.db, { store: world.store.id, id: link.id, max_uses: 2 });
  await choice(first);
  assert.deepEqual(await world.prove(), []);
});

test('of two buyers at once, one gets the last use', async () => {
  const link = await limited(1);
  const invoices = [await pays(link), await pays(link), await pays(link)];
  const answers = await Promise.allSettled(invoices.map((invoice) => choice(invoice)));
  assert.deepEqual(answers.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.deepEqual(await uses(link), { spent: 0, held: 1 });
});

test('a pay-what-you-want link asks for the stated sum, and its payment has the rate of the moment when it is final', async () => {
  const link = await makeLink(world.db, { store: world.store.id, title: 'Gift', currency: 'USD', least: '1', most: '500' });
  const invoice = await pays(link, '90');
  const option = await world.choose(invoice, 'BTC');
  assert.equal(option.pays, 9_000n);
  world.pay(option);
  await world.pass(1);
  await world.price('45000');
  await world.mine();
  const { view } = await world.read(invoice);
  assert.equal(view.state, 'settled');
  const credited = creditedOf(view);
  assert.ok(credited > 4_300n && credited < 4_700n, `credited with ${credited}, at half the price`);
  assert.deepEqual(await world.prove(), []);
});
