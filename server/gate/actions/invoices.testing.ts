// Invoices for tests of higher rooms.

import type { Db } from '../../platform/index.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { chooseMethod } from './choose-method.ts';
import { makeInvoice } from './make-invoice.ts';

/** Makes an invoice of a store for an amount of USD, and chooses a method for it. */
export async function invoiceFor(db: Db, store: string, amount: string, method: string): Promise<StoredInvoice> {
  const { view } = await makeInvoice(db, { store, amount, currency: 'USD', lines: [], metadata: { cart: 7 } }, 'en');
  return chooseMethod(db, { id: view.id, method }, 'en');
}
