// Members make, change and remove links of a store.

import { randomUUID } from 'node:crypto';
import { type Input, Problem, type Routes, fieldProblem } from '@kurs/contract';
import type { Db, KeepAnswer } from '../../platform/index.ts';
import { parsedPositive } from '../invoices/parsed-sum.ts';
import { digitsOf } from '../methods/current-price.ts';
import { invoiceCurrencies } from '../stores/currencies.ts';
import { lockStore } from '../stores/store-rows.ts';
import { type Link, type LinkSum, MAX_LINKS } from './link.ts';
import { addLink, countLinks, lockLink, saveLink } from './link-rows.ts';

type Wanted = Input<Routes['storeLinkMake']>;
type Changed = Input<Routes['storeLinkChange']>;
type Sums = Pick<Wanted, 'amount' | 'least' | 'most'>;

/**
 * Makes a link of a store. Throws `validation` on the wrong field and `links_too_many`. Without a currency, the link has that of
 * the store's invoices. `keep`: stores the answer of the call with the link.
 */
export async function makeLink(db: Db, wanted: Wanted, keep?: KeepAnswer<Link>): Promise<Link> {
  return db.tx(async (tx) => {
    const store = await lockStore(tx, wanted.store);
    if ((await countLinks(tx, store.id)) >= MAX_LINKS)
      throw new Problem('links_too_many', { params: { max: String(MAX_LINKS) } });
    const currency = wanted.currency ?? store.invoiceCurrency;
    const link: Link = {
      ...{ id: randomUUID(), storeId: store.id, title: wanted.title, currency, sum: sumOf(wanted, currency) },
      ...{ maxUses: wanted.max_uses, isOn: true, picture: undefined, createdAt: tx.now, removedAt: undefined },
    };
    await addLink(tx, link);
    await keep?.(tx, link);
    return link;
  });
}

/**
 * Changes a link of a store. Fields that are left out stay; the sum and its currency change together. Invoices that exist keep
 * their terms. Throws `link_unknown`, `record_altered`, and `validation` on the wrong field.
 */
export async function changeLink(db: Db, changed: Changed): Promise<Link> {
  const { amount, least, most, title, max_uses: maxUses } = changed;
  return db.tx(async (tx) => {
    const before = await lockLink(tx, changed.store, changed.id);
    const currency = changed.currency ?? before.currency;
    const hasSum = [amount, least, most, changed.currency].some((field) => field !== undefined);
    const link: Link = {
      ...before,
      ...(title !== undefined && { title }),
      ...(hasSum && { currency, sum: sumOf(changed, currency) }),
      ...(maxUses !== undefined && { maxUses: maxUses ?? undefined }),
      isOn: changed.on ?? before.isOn,
    };
    await saveLink(tx, link);
    return link;
  });
}

/** Removes a link of a store. Its invoices stay. Throws `link_unknown` and `record_altered`. */
export async function removeLink(db: Db, { store, id }: { readonly store: string; readonly id: string }): Promise<void> {
  await db.tx(async (tx) => saveLink(tx, { ...(await lockLink(tx, store, id)), removedAt: tx.now }));
}

/** Parses the sum of a link: an amount, or both bounds. Throws `validation` on the wrong field. */
function sumOf({ amount, least, most }: Sums, currency: string): LinkSum {
  if (!invoiceCurrencies().includes(currency)) throw fieldProblem('currency', 'currency_without_price');
  const digits = digitsOf(currency);
  if (amount !== undefined) {
    if (least !== undefined || most !== undefined) throw fieldProblem('amount', 'link_sum_twice');
    return { amount: parsedPositive('amount', amount, currency, digits) };
  }
  if (least === undefined && most === undefined) throw fieldProblem('amount', 'required');
  if (least === undefined) throw fieldProblem('least', 'required');
  if (most === undefined) throw fieldProblem('most', 'required');
  const bounds = {
    least: parsedPositive('least', least, currency, digits),
    most: parsedPositive('most', most, currency, digits),
  };
  if (bounds.most < bounds.least) throw fieldProblem('most', 'most_below_least');
  return bounds;
}
