// Plays a case of a payment to a test invoice. A member or key of its store chooses the case, or a visitor of its page.

import { Problem } from '@kurs/contract';
import { alone } from '../../collecting/index.ts';
import type { Sender } from '../../deliveries/index.ts';
import { type Db, newId } from '../../platform/index.ts';
import { chooseMethod } from '../actions/choose-method.ts';
import { InvoiceBatch } from '../apply/batch.ts';
import { type Invoice, dueOf, isUnfinished } from '../invoices/invoice.ts';
import { currentOption } from '../invoices/options.ts';
import { methodOf } from '../methods/methods.ts';
import { OF_TESTS } from '../methods/reversible-room.ts';
import { requireAsStored } from '../rows/invoice-mac.ts';
import { lockInvoice, readInvoice } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { refundTest } from './refund-test.ts';
import { type PaymentCase, type TestCase, stepsOf } from './test-payment.ts';

/** Most payments that one test invoice takes. */
const MOST_PAYMENTS = 30;

interface TestDeps {
  readonly db: Db;
  readonly sender: Sender;
}

interface Wanted {
  readonly id: string;
  readonly case: TestCase;
  /** Store of the caller; undefined for a buyer. */
  readonly store?: string;
}

/**
 * Plays a case, and returns the changed invoice. Chooses the cheapest open method first if the invoice has none. Throws
 * `invoice_unknown`, `record_altered`, `not_a_test` for an invoice with money, `method_closed` if it has no method and none is
 * open, `invoice_not_open` if it has ended without options or has had too many payments, and `refund_too_large` if nothing is left
 * to refund.
 */
export async function payTest(deps: TestDeps, { case: name, ...of }: Wanted, locale: 'en' | 'ru'): Promise<StoredInvoice> {
  const { db } = deps;
  if (name !== 'refund_claimed') return playPayment(db, { ...of, case: name }, locale);
  const found = requireTest(await readInvoice(db, of.id), of.store);
  const { view } = found.view.state === 'settled' ? found : await playPayment(db, { ...of, case: 'final' }, locale);
  await refundTest(deps, view);
  return readInvoice(db, of.id);
}

/** Plays the payment of a case. Chooses a method first if the invoice has none. */
async function playPayment(
  db: Db,
  { id, case: name, store }: Wanted & { readonly case: PaymentCase },
  locale: 'en' | 'ru',
): Promise<StoredInvoice> {
  const found = requireTest(await readInvoice(db, id), store);
  if (!currentOption(found.view)) await chooseMethod(db, { id, method: firstMethod(found.view) }, locale);
  return alone(db, async (unit) => {
    const stored = requireTest(await lockInvoice(unit.tx, id), store);
    const option = currentOption(stored.view);
    if (!option) throw new Problem('method_closed');
    const batch = new InvoiceBatch(unit, [stored]);
    for (const step of stepsOf(name, stored.view, option, newId))
      batch.apply(id, step(batch.invoice(id).view, await batch.context(id)));
    await batch.save();
    return batch.invoice(id);
  });
}

function requireTest(stored: StoredInvoice, store: string | undefined): StoredInvoice {
  const { view } = requireAsStored(stored);
  if (store !== undefined && view.store.id !== store) throw new Problem('invoice_unknown');
  if (!view.terms.isTest) throw new Problem('not_a_test');
  if (view.payments.length >= MOST_PAYMENTS) throw new Problem('invoice_not_open');
  return stored;
}

/** Returns the first open method of an invoice without options. Throws `invoice_not_open`, and `method_closed` if none is open. */
function firstMethod(view: Invoice): string {
  if (!isUnfinished(view)) throw new Problem('invoice_not_open');
  const due = dueOf(view);
  const found = view.terms.methods.find((code) => {
    const method = methodOf(view.terms, code, { due, hasAddresses: true, room: OF_TESTS });
    return method?.price !== undefined && method.closed === undefined;
  });
  if (found === undefined) throw new Problem('method_closed');
  return found;
}
