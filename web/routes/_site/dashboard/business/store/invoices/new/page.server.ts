import { randomUUID } from 'node:crypto';
import { redirect } from 'react-router';
import { CallError } from '@kurs/contract/client';
import { m } from '../../../../../../../features/words.ts';
import type { Visit } from '../../../../../../../server/routing/visit.ts';
import { pageUrl } from '../../../../../../pages.ts';
import { keyOf } from '../../../../../contact/page.server.tsx';
import { type FormAnswer, answered } from '../../../answered.ts';
import { type StoreData, ownStore, storeIdOf } from '../../own-store.ts';
import { mayMake } from '../may-make.ts';
import { withRows } from './line-rows.ts';
import { errorsOf, readInvoice } from './new-invoice.ts';

/** Data of the form for a new invoice. */
export interface NewInvoiceData extends StoreData {
  /** Idempotency key of the form. */
  readonly key: string;
}

/** Loads the form. Members who can't make an invoice in the store now are sent to its list. */
export async function load(visit: Visit): Promise<NewInvoiceData> {
  const own = await ownStore(visit, 'storeInvoices');
  if (!mayMake(own.store)) throw redirect(pageUrl(visit.locale, 'storeInvoices', { store: own.store.id }));
  return { ...own, head: { title: `${own.store.name} · ${m.invoices_new()}` }, key: randomUUID() };
}

/** Makes the invoice and leads to its page. Buttons that add or remove a line only show the form again. */
export async function submit(visit: Visit, form: URLSearchParams): Promise<unknown> {
  const [store, values, edit] = [storeIdOf(visit), Object.fromEntries(form), form.get('edit')];
  if (edit !== null) return { of: '', about: '', values: withRows(values, edit) } satisfies FormAnswer;
  return answered(
    form,
    async () => {
      const { input, errors } = readInvoice(values, visit.locale);
      const count = Object.keys(errors).length;
      if (count > 0) throw new CallError(422, { code: 'validation', message: m.fields_to_check({ count }), errors });
      const { id } = await visit.client.invoiceMake({ store, ...input }, keyOf(form));
      return redirect(pageUrl(visit.locale, 'storeInvoice', { store, id }), 303);
    },
    (errors) => errorsOf(errors, values),
  );
}
