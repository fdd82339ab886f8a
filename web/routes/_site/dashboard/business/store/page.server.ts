import { redirect } from 'react-router';
import type { Visit } from '../../../../../server/routing/visit.ts';
import { pageUrl } from '../../../../pages.ts';
import { answered } from '../answered.ts';
import { type StoreData, ownStore, storeIdOf } from './own-store.ts';
import { SETTINGS_FORMS, fieldsOf, settingsOf } from './settings-form.ts';

/** Loads a store's settings. */
export const load = (visit: Visit): Promise<StoreData> => ownStore(visit, 'store');

/** Changes settings, web sites or the picture of a store, or leaves it. */
export async function submit(visit: Visit, form: URLSearchParams): Promise<unknown> {
  const { client, locale } = visit;
  const store = storeIdOf(visit);
  const intent = form.get('intent') ?? '';
  const settings = SETTINGS_FORMS.find((name) => name === intent);
  return answered(
    form,
    async () => {
      if (settings) return client.storeChange({ store, ...settingsOf(settings, form) });
      const site = form.get('site') ?? '';
      if (intent === 'site-add') return client.storeSiteAdd({ store, site });
      if (intent === 'site-remove') return client.storeSiteRemove({ store, site });
      if (intent === 'mark-remove') return client.storeMarkRemove({ store });
      if (intent !== 'leave') return undefined;
      await client.storeLeave({ store });
      return redirect(pageUrl(locale, 'business'), 303);
    },
    fieldsOf,
  );
}
