// Steps of tests about money of invoices that came short or late: invoices in that state, decisions, and the proof after each.

import assert from 'node:assert/strict';
import { makeCode } from '../../auth/index.ts';
import { type StoredOrder, readOrders } from '../../exchange/index.ts';
import { choose } from '../../exchange/testing.ts';
import { accounts, balances } from '../../ledger/index.ts';
import { decidePayin } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import { testSealer } from '../../platform/testing.ts';
import { acceptInvoice, giveInvoiceBack } from '../actions/decide-invoice.ts';
import { type InvoicePayment, inOf } from '../invoices/invoice.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import type { Code, InvoiceWorld } from './invoice-world.testing.ts';

/** Address of the payers. */
export const EMAIL = 'payer@example.org';

/** Returns the steps. `worldNow`: returns the world, which is opened before the first step. */
export function decisionSteps(worldNow: () => InvoiceWorld) {
  const balance = async (account: Parameters<typeof balances>[1][number]): Promise<bigint> =>
    (await balances(worldNow().db, [account]))[0] ?? 0n;
  const free = (unit: string): Promise<bigint> => balance(accounts.deskFree(unit));

  /** Returns the invoice. Checks the books, and that its accounts hold what its payments say. */
  async function proven(invoice: StoredInvoice): Promise<StoredInvoice> {
    assert.deepEqual(await worldNow().prove(), []);
    const now = await worldNow().read(invoice);
    for (const unit of new Set(now.view.payments.map((one) => one.unit))) {
      const into = now.view.payments.filter((one) => one.unit === unit).reduce((sum, one) => sum + inOf(one), 0n);
      assert.equal(await balance(accounts.invoiceIn(now.view.id, unit)), into);
    }
    return now;
  }

  /** Pays a part of a new invoice of 100 USD, and lets its time run out. */
  async function short(method: Code, amount: string): Promise<StoredInvoice> {
    const invoice = await worldNow().make({ life_minutes: 15, email: EMAIL });
    const option = await worldNow().choose(invoice, method);
    worldNow().pay(option, amount, { from: Object.values(worldNow().rails[method].receiver()) });
    await worldNow().mine();
    for (let at = 0; at < 5 && (await worldNow().read(invoice)).view.state !== 'short'; at += 1) await worldNow().pass(5);
    const now = await proven(invoice);
    assert.equal(now.view.state, 'short');
    return now;
  }

  const inputOf = ({ view }: StoredInvoice) => ({ store: view.store.id, id: view.id, version: view.version });
  const accept = (invoice: StoredInvoice, db = worldNow().db): Promise<StoredInvoice> =>
    acceptInvoice({ db, sender: worldNow().sender }, inputOf(invoice));
  const give = (invoice: StoredInvoice): Promise<StoredInvoice> => giveInvoiceBack(worldNow(), inputOf(invoice));

  async function onlyPayment(invoice: StoredInvoice): Promise<InvoicePayment> {
    const { payments } = (await worldNow().read(invoice)).view;
    assert.equal(payments.length, 1);
    return payments[0] ?? assert.fail();
  }

  /** Returns the unallocated payment to which a payment was given back. */
  async function orderOf({ givenBack }: InvoicePayment): Promise<StoredOrder> {
    const [order] = await readOrders(worldNow().db, [givenBack?.orderId ?? assert.fail('it was not given back')]);
    return order ?? assert.fail('there is no such order');
  }

  /** Lets the payer of an order take a refund, and waits until it is sent. */
  async function refund(order: StoredOrder, method: Code): Promise<StoredOrder> {
    const { db, sender } = worldNow();
    const token = sender.tokens.make('order', order.view.id, order.tokenVersion);
    const decide = async (more: Pick<Parameters<typeof choose>[1], 'choice' | 'account'>): Promise<void> => {
      const otp = await db.tx((tx) => makeCode(tx, { purpose: 'order', subject: order.view.id }));
      await choose({ db, sender, sealer: testSealer }, { id: order.number, token, otp, ...more });
    };
    if (!order.view.refund) await decide({ choice: 'give_route', account: { ...worldNow().rails[method].receiver() } });
    await decide({ choice: 'refund' });
    for (let at = 0; at < 9; at += 1) {
      await worldNow().mine(3);
      const [sent] = await readOrders(db, [order.view.id]);
      if (sent?.view.state === 'refunded') return sent;
    }
    return assert.fail('it was not sent');
  }

  async function takeAway({ id }: InvoicePayment, parts?: bigint): Promise<void> {
    await worldNow().db.tx((tx) => decidePayin(tx, takeBack(id, parts)));
    await worldNow().turn();
  }

  async function bringBack({ id }: InvoicePayment): Promise<void> {
    await worldNow().db.tx((tx) => decidePayin(tx, { ...takeBack(id), word: 'restore' }));
    for (let at = 0; at < 3; at += 1) await worldNow().mine(3);
  }

  /** Makes an invoice expire, pays it after that, and lets the payment become final. */
  async function late(method: Code, amount?: string): Promise<StoredInvoice> {
    const invoice = await worldNow().make({ life_minutes: 15, email: EMAIL });
    const option = await worldNow().choose(invoice, method);
    for (let at = 0; at < 5 && (await worldNow().read(invoice)).view.state !== 'expired'; at += 1) await worldNow().pass(5);
    worldNow().pay(option, amount, { from: Object.values(worldNow().rails[method].receiver()) });
    await worldNow().mine();
    const now = await proven(invoice);
    assert.deepEqual([now.view.state, now.view.payments[0]?.stage], ['expired', 'unallocated']);
    return now;
  }

  /** Returns the unallocated payment that has a late payment's money. */
  async function lateOrder(invoice: StoredInvoice): Promise<StoredOrder> {
    const [order] = await readOrders(worldNow().db, [invoice.view.payments[0]?.handedOver?.at(-1)?.orderId ?? assert.fail()]);
    return order ?? assert.fail();
  }
  return { balance, free, proven, short, accept, give, onlyPayment, orderOf, refund, takeAway, bringBack, late, lateOrder };
}
