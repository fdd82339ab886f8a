import { randomUUID } from 'node:crypto';
import { redirect } from 'react-router';
import type { Output, Routes } from '@kurs/contract';
import type { Visit } from '../../../../server/routing/visit.ts';
import { pageUrl } from '../../../pages.ts';
import { keyOf } from '../../contact/page.server.tsx';
import { answered } from './answered.ts';
import type { StoreKind } from './store-words.ts';

export type BusinessAnswer = Output<Routes['business']>;
export type Business = NonNullable<BusinessAnswer['business']>;
export type Stores = Output<Routes['stores']>;
export type StoresOverview = Output<Routes['storesOverview']>;

/** Data of the page of the account's business and stores. */
export interface BusinessData extends BusinessAnswer {
  readonly stores: Stores;
  /** Overview of the stores; undefined for an account without stores that have money. */
  readonly overview: StoresOverview | undefined;
  /** Kind that the form for a new store begins with; undefined if no store can be made. */
  readonly kind: StoreKind | undefined;
  /** Idempotency key of the form for a new store. */
  readonly key: string;
}

/** Loads the account's business, its stores and open invitations. In the query, `kind` selects the kind of a new store. */
export async function load({ client, url }: Visit): Promise<BusinessData> {
  const [business, stores] = await Promise.all([client.business({}), client.stores({})]);
  const { makeable } = stores;
  const kind = makeable.find((one) => one === url.searchParams.get('kind')) ?? makeable[0];
  const overview = stores.stores.some(({ test }) => !test) ? await client.storesOverview({}) : undefined;
  return { ...business, stores, overview, kind, key: randomUUID() };
}

/** Accepts or declines an invitation, or makes a store. */
export async function submit({ client, locale }: Visit, form: URLSearchParams): Promise<unknown> {
  const typed = (name: string): string => form.get(name) ?? '';
  if (typed('intent') === 'join')
    return answered(form, async () => {
      const isAccepted = typed('accept') === 'yes';
      const { store } = await client.storeJoin({ invitation: typed('id'), accept: isAccepted });
      return isAccepted ? redirect(pageUrl(locale, 'store', { id: store }), 303) : undefined;
    });
  return answered(form, async () => {
    const { id } = await client.storeMake(
      {
        kind: typed('kind') as StoreKind,
        name: typed('name'),
        invoice_currency: typed('invoice_currency'),
        settlement_currency: typed('settlement_currency'),
        ...(typed('timezone') !== '' && { timezone: typed('timezone') }),
      },
      keyOf(form),
    );
    return redirect(pageUrl(locale, 'store', { id }), 303);
  });
}
