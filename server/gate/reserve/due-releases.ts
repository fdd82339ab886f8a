// Lets settled payments leave the reserves of stores: when their time there is over, or to repay what their business owes.

import { type UnitOfWork, alone, unpolledAmong } from '../../collecting/index.ts';
import { isDisputed, undeliveredDebts } from '../../payments/index.ts';
import { type Db, type Tx, log } from '../../platform/index.ts';
import { InvoiceBatch } from '../apply/batch.ts';
import { businessById } from '../businesses/business-store.ts';
import { boundsOf } from '../businesses/reversible.ts';
import type { Invoice, InvoicePayment } from '../invoices/invoice.ts';
import { find } from '../invoices/steps.ts';
import { reportAltered } from '../rows/invoice-mac.ts';
import { invoicesById, lockInvoices } from '../rows/invoice-rows.ts';
import { lockDebts } from '../settled/debt-rows.ts';
import { partyOf } from '../stores/debtor.ts';
import { type ReleaseTerms, releasable, release } from './release.ts';
import { type DueReceipt, dueReceipts, putOffReceipt } from './receipt-rows.ts';

/** Maximum number of payments that one turn checks. */
const TURN = 32;
/** Pauses in ms: while a payment is not polled yet or its system doesn't answer, and while its payer disputes it. */
const WAIT_MS = 60_000;
const DISPUTED_MS = 6 * 3_600_000;
/** Age in ms up to which a poll of the payment counts. */
const POLLED_MS = 3_600_000;

/**
 * Checks up to 32 settled payments that may leave the reserve, each in its own transaction, and returns the number of those that
 * left, wholly or in part. One that can't leave now is postponed.
 */
export async function dueReleases(db: Db): Promise<number> {
  let count = 0;
  for (const due of await dueReceipts(db, TURN))
    try {
      const stop = due.isForDebt ? undefined : await stopBySystem(db, due);
      const left = stop ?? (await alone(db, (unit) => leave(unit, due)));
      if (left === 'left') count += 1;
      else await putOff(db, due, left === 'disputed' ? DISPUTED_MS : WAIT_MS);
    } catch (error) {
      log.alarm('a settled payment could not leave the reserve of its store', { paymentId: due.id, error });
      await putOff(db, due, WAIT_MS);
    }
  return count;
}

const putOff = async (db: Db, { id }: DueReceipt, ms: number): Promise<void> =>
  putOffReceipt(db, id, new Date((await db.now()).getTime() + ms));

type Outcome = 'left' | 'disputed' | 'waits';

/** Queries the payment system for an open dispute. Undefined if there is none. */
async function stopBySystem(db: Db, { id, invoiceId }: DueReceipt): Promise<'disputed' | 'waits' | undefined> {
  const [stored] = await invoicesById(db, [invoiceId]);
  const payment = stored && find(stored.view, id);
  if (!payment?.source) return 'waits';
  try {
    return (await isDisputed(payment.currency, payment.source.fields)) ? 'disputed' : undefined;
  } catch (error) {
    log.warn('a payment system did not answer about disputes: a settled payment stays in the reserve', { paymentId: id, error });
    return 'waits';
  }
}

/** Decides again under the lock of the invoice, and lets the payment leave. */
async function leave(unit: UnitOfWork, { id, invoiceId, isForDebt }: DueReceipt): Promise<Outcome> {
  const { tx } = unit;
  const [stored] = await lockInvoices(tx, [invoiceId]);
  if (!stored) return 'waits';
  if (stored.isAltered) {
    reportAltered(stored);
    return 'waits';
  }
  const { view } = stored;
  const payment = find(view, id);
  if (!payment?.booked || payment.stage !== 'credited') return 'waits';
  const parts = isForDebt ? await owedIn(tx, view, payment.booked.unit) : await releasedBy(tx, view, payment);
  const isOver = !isForDebt;
  const batch = new InvoiceBatch(unit, [stored]);
  if (!batch.apply(invoiceId, release(view, payment, { parts, isOver }))) return 'waits';
  await batch.save();
  return 'left';
}

/** Returns what is owed in a unit because of an invoice's store, in parts; 0 if the row of the debt was changed by SQL. */
async function owedIn(tx: Tx, { store }: Invoice, unit: string): Promise<bigint> {
  const debts = await lockDebts(tx, [partyOf(store)]);
  const debt = debts.find((one) => one.unit === unit);
  return debt && !debt.isAltered ? (debt.byStore.get(store.id) ?? 0n) : 0n;
}

/**
 * Returns the part of a payment that may leave by time. It must have been polled in the last hour, since its system may have taken it
 * back, and each event about it must have been handled.
 */
async function releasedBy(tx: Tx, { store }: Invoice, payment: InvoicePayment): Promise<bigint> {
  const terms = await termsOf(tx, store.businessId);
  const parts = terms ? releasable(payment, terms, tx.now) : 0n;
  if (parts === 0n) return 0n;
  const ripe = { id: payment.id, payments: [payment.id], since: new Date(tx.now.getTime() - POLLED_MS) };
  if ((await unpolledAmong(tx, [ripe])).size > 0) return 0n;
  return (await undeliveredDebts(tx)).some(({ id }) => id === payment.id) ? 0n : parts;
}

/** Returns the terms of a business; undefined if its row was changed by SQL. */
async function termsOf(tx: Tx, businessId: string | undefined): Promise<ReleaseTerms | undefined> {
  const business = await businessById(tx, businessId);
  return business && !business.isAltered ? boundsOf(business.reversible) : undefined;
}
