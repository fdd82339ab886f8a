import { data } from 'react-router';
import { m } from '../../../features/words.ts';
import type { Head } from '../../../server/document/document.ts';
import { failedWith } from '../../../server/document/failure.ts';
import { qrOf } from '../../../server/document/qr.ts';
import { givePartsTo } from '../../../server/document/server-drawn-parts.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import { shareOf } from './exact.ts';
import { InvoicePanel } from './invoice-panel.tsx';
import { storeInvoice, storedPayer } from './pay-cookie.ts';
import { type Invoice, type NoInvoice, PANEL, type Part, type PayData, isUnfinished, payMarkOf } from './pay-data.ts';
import { idOf } from './submit-form.ts';

export { submit } from './submit-form.ts';

/** Interval at which the page reloads in browsers without JavaScript, in seconds. */
const REFRESH_SECONDS = 15;

/** Loads the page of an invoice. An unknown invoice has a page of its own with the status 404, which may be framed as well. */
export async function load(visit: Visit): Promise<unknown> {
  const invoice = await readInvoice(visit);
  if (!invoice) return data({ head: { title: m.checkout_missing() } } satisfies NoInvoice, { status: 404 });
  const { option } = invoice;
  if (option?.kind === 'redirect' && option.status === 'open') storeInvoice(visit, invoice);
  const part = partOf(visit);
  const head: Head = {
    title: m.checkout_head({ number: invoice.number }),
    ...(isRefreshed(invoice, part) && { refresh: REFRESH_SECONDS }),
  };
  givePartsTo(head, { [PANEL]: <InvoicePanel invoice={invoice} /> });
  return { head, ...dataOf(visit, invoice), ...(part !== undefined && { part }) } satisfies PayData;
}

/** Returns the page's data without its head. */
function dataOf(visit: Visit, whole: Invoice): Omit<PayData, 'head'> {
  const { lines: _, tax: __, description: ___, ...invoice } = whole;
  const { amount = '0', credited, pending, option } = invoice;
  const code = option?.code?.text ?? option?.address;
  return {
    now: visit.now,
    path: visit.url.pathname,
    invoice,
    ...(code !== undefined && option?.status === 'open' && !invoice.test && { qr: qrOf(code) }),
    shares: { credited: shareOf([credited], amount), covered: shareOf([credited, pending], amount) },
    isSandbox: visit.config.mode === 'sandbox',
    mark: payMarkOf(invoice),
  };
}

/** True if the page reloads without scripts: it waits for a payment, and has no fields to type into. */
const isRefreshed = (invoice: Invoice, part: Part | undefined): boolean =>
  part === undefined &&
  isUnfinished(invoice) &&
  ((invoice.option !== undefined && !invoice.chosen_by_store) || invoice.state === 'confirming');

/** Returns the part of the page that its URL opens: `?email`, `?change`. */
const partOf = ({ url }: Visit): Part | undefined => (['email', 'change'] as const).find((part) => url.searchParams.has(part));

/** Returns the invoice that the URL names; undefined if there is none. */
async function readInvoice(visit: Visit): Promise<Invoice | undefined> {
  try {
    const secret = storedPayer(visit);
    return await visit.client.paymentInvoice({ id: idOf(visit), ...(secret !== undefined && { secret }) });
  } catch (error) {
    if (failedWith(error, 'invoice_unknown', 'validation')) return undefined;
    throw error;
  }
}
