import { randomUUID } from 'node:crypto';
import { redirect } from 'react-router';
import { CallError } from '@kurs/contract/client';
import type { Output, Routes } from '@kurs/contract';
import { m } from '../../../../../../features/words.ts';
import { notThere } from '../../../../../../server/document/failure.ts';
import { type Qr, qrOf } from '../../../../../../server/document/qr.ts';
import type { Visit } from '../../../../../../server/routing/visit.ts';
import { PREFIX, pageUrl } from '../../../../../pages.ts';
import { keyOf } from '../../../../contact/page.server.tsx';
import { answered } from '../../answered.ts';
import { type StoreData, ownStore, storeIdOf } from '../own-store.ts';
import { readLinkForm } from './link-form.ts';

export type StoreLink = Output<Routes['storeLinks']>[number];

/** Data of the page of a store's links: its list, one link, or the form for a new one. */
export interface LinksData extends StoreData {
  readonly links: readonly StoreLink[];
  /** Link that the URL names by `link`, with the QR code of its page. */
  readonly one?: StoreLink & { readonly qr: Qr };
  /** Idempotency key of the form for a new link; undefined where the page doesn't show that form. */
  readonly key?: string;
}

/** Loads the links of a store. `?link=…` shows one of them, `?new` the form for a new one. */
export async function load(visit: Visit): Promise<LinksData> {
  const own = await ownStore(visit, 'storeLinks');
  const { locale, config, url } = visit;
  const links = (await visit.client.storeLinks({ store: own.store.id })).map((link) => ({
    ...link,
    url: link.url.replace(`/${PREFIX.en}/`, `/${PREFIX[locale]}/`),
    // The API may have another origin than the site.
    ...(link.picture !== undefined && { picture: (config.api ?? '') + link.picture }),
  }));
  if (url.searchParams.has('new')) return { ...own, links, key: randomUUID() };
  const id = url.searchParams.get('link');
  if (id === null) return { ...own, links };
  const one = links.find((link) => link.id === id);
  if (!one) notThere(visit, m.links_missing_title(), m.links_missing_lead());
  return { ...own, head: { title: `${own.store.name} · ${one.title}` }, links, one: { ...one, qr: qrOf(one.url) } };
}

/** Makes, changes, switches or removes a link, or removes its picture. */
export async function submit(visit: Visit, form: URLSearchParams): Promise<unknown> {
  const { client, locale } = visit;
  const [store, id] = [storeIdOf(visit), visit.url.searchParams.get('link') ?? ''];
  return answered(form, async () => {
    switch (form.get('intent')) {
      case 'make': {
        const made = await client.storeLinkMake({ store, ...read(form, locale) }, keyOf(form));
        return redirect(pageUrl(locale, 'storeLinks', { store, link: made.id }), 303);
      }
      case 'change': {
        const { max_uses = null, ...link } = read(form, locale);
        return client.storeLinkChange({ store, id, ...link, max_uses });
      }
      case 'switch':
        return client.storeLinkChange({ store, id, on: form.get('on') === 'true' });
      case 'picture-remove':
        return client.storeLinkPictureRemove({ store, id });
      case 'remove':
        await client.storeLinkRemove({ store, id });
        return redirect(pageUrl(locale, 'storeLinks', { store }), 303);
      default:
        return undefined;
    }
  });
}

/** Reads the fields of a link. Throws the errors of fields that can't be read, as the API's. */
function read(form: URLSearchParams, locale: 'en' | 'ru') {
  const { input, errors } = readLinkForm(Object.fromEntries(form), locale);
  const count = Object.keys(errors).length;
  if (count > 0) throw new CallError(422, { code: 'validation', message: m.fields_to_check({ count }), errors });
  return input;
}
