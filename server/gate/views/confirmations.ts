import { confirmationsOf } from '../../payments/index.ts';
import type { Statements } from '../../platform/index.ts';
import type { Invoice } from '../invoices/invoice.ts';

/** Returns the present confirmations of an invoice's payments that are not final, by payment id. */
export async function confirmationsOfInvoice(db: Statements, { payments }: Invoice): Promise<ReadonlyMap<string, number>> {
  const places = new Set(payments.flatMap(({ stage, addressId }) => (stage === 'seen' ? [addressId] : [])));
  const found = await Promise.all([...places].map((id) => confirmationsOf(db, { kind: 'invoice', id })));
  return new Map(found.flatMap((each) => [...each]));
}

/** Returns the sum of confirmations; undefined if no payment is in a block. */
export const sumOfConfirmations = (confirmations: ReadonlyMap<string, number>): number | undefined =>
  confirmations.size === 0 ? undefined : [...confirmations.values()].reduce((sum, one) => sum + one);
