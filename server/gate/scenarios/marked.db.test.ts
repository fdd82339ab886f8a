// Marks and the archive of invoices: members and programs of a store set them, and no money moves.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { accounts, balances } from '../../ledger/index.ts';
import { refusal } from '../../platform/testing.ts';
import { archiveInvoice, markInvoice } from '../actions/mark-invoice.ts';
import { chooseMethod } from '../actions/choose-method.ts';
import { creditedOf } from '../invoices/invoice.ts';
import { requireAsStored } from '../rows/invoice-mac.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { payWire } from '../views/pay-wire.ts';
import { type GateWorld, type Person, openGateWorld } from './gate-world.testing.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

describe('money beside marks', () => {
  let world: InvoiceWorld;
  before(async () => {
    world = await openInvoiceWorld();
    await world.change({ settlementCurrency: 'USDT_ERC20' });
  });
  after(() => world.close());

  const mark = ({ view: { id } }: StoredInvoice, as: 'settled' | 'invalid') =>
    markInvoice(world.db, { store: world.store.id, id, as });
  const free = async (): Promise<bigint> => (await balances(world.db, [accounts.deskFree('USDT')]))[0] ?? 0n;
  const shown = (invoice: StoredInvoice) => payWire({ db: world.db, tokens: world.sender.tokens }, invoice, { locale: 'en' });

  test('a marked invoice offers no option, takes what comes all the same, and money ends the mark', async () => {
    const invoice = await world.make();
    const option = await world.choose(invoice, 'BTC');
    const marked = await mark(invoice, 'settled');
    assert.deepEqual([marked.view.state, marked.view.mark], ['open', 'settled']);
    requireAsStored(await world.read(invoice));
    const page = await shown(marked);
    assert.deepEqual([page.mark, page.methods, page.option], ['settled', [], undefined]);
    assert.equal(
      await refusal(() => chooseMethod(world.db, { id: invoice.view.id, method: 'USDT_TRC20' }, 'en')),
      'invoice_not_open',
    );
    world.pay(option);
    await world.mine();
    const { view } = await world.read(invoice);
    assert.deepEqual([view.state, view.mark], ['settled', undefined]);
    assert.equal(await refusal(() => mark(invoice, 'invalid')), 'mark_refused');
    assert.deepEqual(await world.prove(), []);
  });

  test('an open invoice with a payment on its way is marked invalid: it ends, the reserve goes back, the money is its payer’s', async () => {
    const before = await free();
    const invoice = await world.make();
    const option = await world.choose(invoice, 'BTC');
    world.pay(option, '0.0005');
    await world.pass(1);
    assert.ok((await free()) < before);
    const marked = await mark(invoice, 'invalid');
    assert.deepEqual([marked.view.state, marked.view.mark, await free()], ['cancelled', 'invalid', before]);
    assert.equal((await mark(invoice, 'invalid')).view.version, marked.view.version, 'the same mark again changes nothing');
    assert.deepEqual((await world.events(invoice)).slice(-2), ['marked', 'cancelled']);
    await world.mine();
    const { view } = await world.read(invoice);
    assert.deepEqual([view.state, creditedOf(view), view.payments[0]?.stage], ['cancelled', 0n, 'unallocated']);
    assert.deepEqual(await world.prove(), []);
  });

  test('a mark that SQL changed is accused, and takes no money', async () => {
    const invoice = await world.make();
    await world.owner.run(`update invoice set mark = 'settled' where id = $1`, [invoice.view.id]);
    assert.equal(await refusal(() => mark(invoice, 'invalid')), 'record_altered');
    assert.ok((await world.prove()).some((one) => one.startsWith(invoice.view.id)));
  });

  test('only what is settled or has ended goes to the archive', async () => {
    const invoice = await world.make();
    const which = { store: world.store.id, id: invoice.view.id };
    assert.equal(await refusal(() => archiveInvoice(world.db, { ...which, isArchived: true })), 'invoice_unfinished');
  });
});

describe('calls', () => {
  let world: GateWorld;
  let owner: Person;
  let store: string;
  before(async () => {
    world = await openGateWorld();
    owner = await world.person();
    store = await world.store(owner, 'business');
  });
  after(() => world.close());

  async function cancelled(): Promise<{ readonly id: string; readonly number: string }> {
    const { data } = await world.call('invoiceMake', { store, amount: '10.00' }, owner);
    await world.call('invoiceCancel', { store, id: data.id }, owner);
    return data;
  }
  const listed = async (filter: Readonly<Record<string, string>> = {}): Promise<string[]> =>
    (await world.call('invoices', { store, ...filter }, owner)).data.map(({ id }) => id);

  test('an invoice goes to the archive and back: the list hides it unless it is asked for, or searched by its number', async () => {
    const { id, number } = await cancelled();
    const { data } = await world.call('invoiceArchive', { store, id }, owner);
    assert.deepEqual([data.archived, data.state], [true, 'cancelled']);
    assert.deepEqual(
      [(await listed()).includes(id), await listed({ archived: 'yes' }), await listed({ q: number })],
      [false, [id], [id]],
    );
    assert.equal((await world.call('invoiceArchive', { store, id, archived: false }, owner)).data.archived, false);
    assert.deepEqual([(await listed()).includes(id), await listed({ archived: 'yes' })], [true, []]);
  });

  test('marked invoices are listed by themselves, and the event says which mark it was', async () => {
    const { id } = await cancelled();
    assert.equal((await world.call('invoiceMark', { store, id, as: 'invalid' }, owner)).code, 'mark_refused');
    const { data } = await world.call('invoiceMark', { store, id, as: 'settled' }, owner);
    assert.deepEqual([data.mark, data.state, data.events.at(-1)?.mark], ['settled', 'cancelled', 'settled']);
    assert.deepEqual(await listed({ marked: 'yes' }), [id]);
  });

  test('another store’s invoice is neither marked nor archived', async () => {
    const { id } = await cancelled();
    const other = await world.store(owner, 'test');
    for (const call of [
      () => world.call('invoiceMark', { store: other, id, as: 'settled' }, owner),
      () => world.call('invoiceArchive', { store: other, id }, owner),
    ])
      assert.equal((await call()).code, 'invoice_unknown');
  });
});
