import { m } from '../../../../../../features/words.ts';
import { failedWith, notThere } from '../../../../../../server/document/failure.ts';
import type { Visit } from '../../../../../../server/routing/visit.ts';
import { answered } from '../../answered.ts';
import type { Invoice } from '../invoices/invoice-words.ts';
import { type StoreData, ownStore, storeIdOf } from '../own-store.ts';

/** Data of the page of one invoice. */
export interface InvoiceData extends StoreData {
  readonly now: string;
  readonly invoice: Invoice;
}

/** Loads the invoice that the URL names. Throws the page that says that the store has no such invoice. */
export async function load(visit: Visit): Promise<InvoiceData> {
  const own = await ownStore(visit, 'storeInvoices');
  const invoice = await readInvoice(visit, own.store.id);
  const head = { title: `${own.store.name} · ${m.invoices_number({ number: invoice.number })}` };
  return { ...own, head, now: visit.now, invoice };
}

/** Cancels the invoice. */
export const submit = (visit: Visit, form: URLSearchParams): Promise<unknown> =>
  answered(form, () => visit.client.invoiceCancel({ store: storeIdOf(visit), id: invoiceIdOf(visit) }));

const invoiceIdOf = ({ url }: Visit): string => url.searchParams.get('id') ?? '';

async function readInvoice(visit: Visit, store: string): Promise<Invoice> {
  try {
    return await visit.client.storeInvoice({ store, id: invoiceIdOf(visit) });
  } catch (error) {
    if (failedWith(error, 'invoice_unknown', 'validation'))
      notThere(visit, m.invoices_missing_title(), m.invoices_missing_lead());
    throw error;
  }
}
