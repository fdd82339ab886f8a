import { redirect } from 'react-router';
import type { Visit } from '../../../../../server/routing/visit.ts';
import { pageUrl } from '../../../../pages.ts';
import { answered } from '../answered.ts';
import { type StoreData, ownStore, storeIdOf } from './own-store.ts';

/** Loads a store's settings. */
export const load = (visit: Visit): Promise<StoreData> => ownStore(visit, 'store');

/** Changes a store's settings, or leaves the store. */
export async function submit(visit: Visit, form: URLSearchParams): Promise<unknown> {
  const { client, locale } = visit;
  const store = storeIdOf(visit);
  const typed = (name: string): string => form.get(name) ?? '';
  if (typed('intent') === 'leave')
    return answered(form, async () => {
      await client.storeLeave({ store });
      return redirect(pageUrl(locale, 'business'), 303);
    });
  return answered(form, () =>
    client.storeChange({
      store,
      name: typed('name'),
      invoice_currency: typed('invoice_currency'),
      settlement_currency: typed('settlement_currency'),
      timezone: typed('timezone'),
    }),
  );
}
