// The debt of a store when a settled payment comes again.

import type { UnitOfWork } from '../../collecting/index.ts';
import type { InvoicePayment } from '../invoices/invoice.ts';
import { cutCredit } from '../reversals/cut-booked.ts';
import { oweAgain } from '../settled/write-off.ts';
import { debtAccount } from '../stores/debtor.ts';
import type { InvoiceBatch } from './batch.ts';

/** A settled payment that comes again, or `parts` of it. */
interface ComingAgain {
  readonly invoiceId: string;
  readonly payment: InvoicePayment;
  readonly parts: bigint;
}

/**
 * Makes what was written off for a payment a debt again, and returns the debt of its store in the unit in which the payment was
 * settled. 0 if it was not settled.
 */
export async function debtAgain(
  unit: UnitOfWork,
  batch: InvoiceBatch,
  { invoiceId, payment, parts }: ComingAgain,
): Promise<bigint> {
  const { unsettled } = payment;
  if (!unsettled) return 0n;
  const { store } = batch.invoice(invoiceId).view;
  const of = unsettled.booked.unit;
  const { set = 0n, fee = 0n } = cutCredit({ ...payment, ...unsettled }, parts).gone ?? {};
  batch.note(store, await oweAgain(unit, store, of, set - fee));
  return unit.shown(debtAccount(store, of));
}
