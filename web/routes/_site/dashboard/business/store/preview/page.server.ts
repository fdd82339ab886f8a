import type { Output, Routes } from '@kurs/contract';
import { readTyped } from '@kurs/money';
import { unreadable } from '../../../../../../features/unreadable.ts';
import { m } from '../../../../../../features/words.ts';
import { isCallError } from '../../../../../../server/document/failure.ts';
import type { Visit } from '../../../../../../server/routing/visit.ts';
import { type StoreData, ownStore } from '../own-store.ts';

export type Preview = Output<Routes['storePreview']>;

/** Data of the page that shows what a buyer would pay. */
export interface PreviewData extends StoreData {
  /** Values of the form, as typed. */
  readonly values: { readonly amount: string; readonly currency: string };
  readonly errors: Readonly<Record<string, string>>;
  /** Undefined until a sum is typed that can be read. */
  readonly preview: Preview | undefined;
}

/** Loads the methods for the sum in the URL. */
export async function load(visit: Visit): Promise<PreviewData> {
  const own = await ownStore(visit, 'storeInvoices');
  const text = (name: string): string => (visit.url.searchParams.get(name) ?? '').trim().slice(0, 60);
  const values = { amount: text('amount'), currency: text('currency') || own.store.invoice_currency };
  const head = { title: `${own.store.name} · ${m.preview_title()}` };
  if (values.amount === '') return { ...own, head, values, errors: {}, preview: undefined };
  return { ...own, head, values, ...(await askPreview(visit, own.store.id, values)) };
}

async function askPreview(
  { client, locale }: Visit,
  store: string,
  { amount: typed, currency }: PreviewData['values'],
): Promise<Pick<PreviewData, 'errors' | 'preview'>> {
  const amount = readTyped(typed, locale, 18);
  if (amount === undefined || amount === '') return { errors: { amount: unreadable(typed) }, preview: undefined };
  try {
    return { errors: {}, preview: await client.storePreview({ store, amount, currency }) };
  } catch (error) {
    if (!isCallError(error) || error.status >= 500 || error.status === 401) throw error;
    const errors = Object.entries(error.errors ?? {}).map(([name, [first = '']]) => [name, first] as const);
    return { errors: errors.length > 0 ? Object.fromEntries(errors) : { amount: error.message }, preview: undefined };
  }
}
