import type { Routes, Sent } from '@kurs/contract';
import { m } from '../../../../../../features/words.ts';
import { failedWith, notThere } from '../../../../../../server/document/failure.ts';
import type { Visit } from '../../../../../../server/routing/visit.ts';
import { answered } from '../../answered.ts';
import type { Invoice } from '../invoices/invoice-words.ts';
import { type StoreData, ownStore, storeIdOf } from '../own-store.ts';
import type { InvoiceStatus } from './change-token.ts';

/** Data of the page of one invoice. */
export interface InvoiceData extends StoreData {
  readonly now: string;
  readonly invoice: Invoice;
  /** Status of the invoice at a moment before it was loaded. */
  readonly status: InvoiceStatus;
}

/** Loads the invoice that the URL names. Throws the page that says that the store has no such invoice. */
export async function load(visit: Visit): Promise<InvoiceData> {
  const own = await ownStore(visit, 'storeInvoices');
  const found = await readInvoice(visit, own.store.id);
  const head = { title: `${own.store.name} · ${m.invoices_number({ number: found.invoice.number })}` };
  return { ...own, head, now: visit.now, ...found };
}

/** Cancels the invoice, marks it, moves it to the archive and back, or decides about money that came short or late. */
export const submit = (visit: Visit, form: URLSearchParams): Promise<unknown> =>
  answered(form, () => {
    const which = { store: storeIdOf(visit), id: invoiceIdOf(visit) };
    const decided = { ...which, version: Number.parseInt(form.get('version') ?? '', 10) };
    const { client } = visit;
    switch (form.get('intent')) {
      case 'accept':
        return client.invoiceAccept(decided);
      case 'give_back':
        return client.invoiceGiveBack(decided);
      case 'mark':
        return client.invoiceMark({ ...which, as: form.get('as') as Sent<Routes['invoiceMark']>['as'] });
      case 'archive':
      case 'unarchive':
        return client.invoiceArchive({ ...which, archived: form.get('intent') === 'archive' });
      default:
        return client.invoiceCancel(which);
    }
  });

const invoiceIdOf = ({ url }: Visit): string => url.searchParams.get('id') ?? '';

/** Reads the status first, so that the page's event stream also reports changes while the invoice is read. */
async function readInvoice(visit: Visit, store: string): Promise<Pick<InvoiceData, 'invoice' | 'status'>> {
  const id = invoiceIdOf(visit);
  try {
    const status = await visit.client.paymentInvoiceStatus({ id });
    return { status, invoice: await visit.client.storeInvoice({ store, id }) };
  } catch (error) {
    if (failedWith(error, 'invoice_unknown', 'validation'))
      notThere(visit, m.invoices_missing_title(), m.invoices_missing_lead());
    throw error;
  }
}
