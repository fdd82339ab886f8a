import { randomUUID } from 'node:crypto';
import type { Output, Routes } from '@kurs/contract';
import { CallError } from '@kurs/contract/client';
import { readTyped } from '@kurs/money';
import { redirect } from 'react-router';
import { unreadable } from '../../../../../../../features/unreadable.ts';
import { m } from '../../../../../../../features/words.ts';
import { failedWith, notThere } from '../../../../../../../server/document/failure.ts';
import type { Visit } from '../../../../../../../server/routing/visit.ts';
import { pageUrl } from '../../../../../../pages.ts';
import { keyOf } from '../../../../../contact/page.server.tsx';
import { answered } from '../../../answered.ts';
import type { Invoice } from '../../invoices/invoice-words.ts';
import { type StoreData, ownStore, storeIdOf } from '../../own-store.ts';

/** Data of the form for a new refund. */
export interface NewRefundData extends StoreData {
  /** Idempotency key of the form. */
  readonly key: string;
  /** The invoice that is refunded, with the amounts side by side; undefined for a refund without one. */
  readonly of: { readonly invoice: Invoice; readonly amounts: Output<Routes['refundAmounts']> } | undefined;
}

/** Loads the form. Members who can't refund in the store are sent to its list. */
export async function load(visit: Visit): Promise<NewRefundData> {
  const own = await ownStore(visit, 'storeRefunds');
  const { store } = own;
  if (store.test || !store.permissions.includes('refunds.create'))
    throw redirect(pageUrl(visit.locale, 'storeRefunds', { store: store.id }));
  const head = { title: `${store.name} · ${m.refunds_new()}` };
  return { ...own, head, key: randomUUID(), of: await invoiceOf(visit, store.id) };
}

async function invoiceOf(visit: Visit, store: string): Promise<NewRefundData['of']> {
  const id = visit.url.searchParams.get('invoice') ?? '';
  if (id === '') return undefined;
  try {
    const invoice = await visit.client.storeInvoice({ store, id });
    return { invoice, amounts: await visit.client.refundAmounts({ store, invoice: id }) };
  } catch (error) {
    if (failedWith(error, 'invoice_unknown', 'validation'))
      notThere(visit, m.invoices_missing_title(), m.invoices_missing_lead());
    throw error;
  }
}

/** Makes the refund and leads to its page. */
export const submit = (visit: Visit, form: URLSearchParams): Promise<unknown> =>
  answered(form, async () => {
    const typed = (name: string): string => (form.get(name) ?? '').trim();
    const stated = typed('choice') === 'other' || typed('choice') === '' ? typed('amount') : undefined;
    // A form without styles shows both: nothing is refunded until they agree.
    if (stated === undefined && typed('amount') !== '') throw refused(m.refunds_amount_either());
    const amount = stated === undefined ? typed('choice') : readTyped(stated, visit.locale, 18);
    if (amount === undefined || amount === '') {
      const words = stated === '' ? m.refunds_amount_missing() : unreadable(stated ?? '');
      throw refused(words);
    }
    const store = storeIdOf(visit);
    const texts = ['invoice', 'currency', 'email', 'note'] as const;
    const input = Object.fromEntries(texts.flatMap((name) => (typed(name) === '' ? [] : [[name, typed(name)]])));
    const { id } = await visit.client.refundMake({ store, amount, ...input, language: visit.locale }, keyOf(form));
    return redirect(pageUrl(visit.locale, 'storeRefund', { store, id }), 303);
  });

const refused = (words: string): CallError =>
  new CallError(422, { code: 'validation', message: m.fields_to_check({ count: 1 }), errors: { amount: [words] } });
