// A buyer makes an invoice by a link of a store.

import { type Input, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { type Context, type Db } from '../../platform/index.ts';
import { parsedPositive } from '../invoices/parsed-sum.ts';
import type { Link } from '../links/link.ts';
import { readLink } from '../links/link-rows.ts';
import { isUsedUp, usesOf } from '../links/link-uses.ts';
import { digitsOf } from '../methods/current-price.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { makeInvoice } from './make-invoice.ts';

type Wanted = Input<Routes['paymentLinkPay']>;

/** Maximum number (`max`) of invoices that one network may make by links within `seconds`. */
const MADE = { max: 120, seconds: 3_600 };

/**
 * Makes the invoice of a link. A sum that the buyer states makes a top-up that asks for this sum: its payment has the rate of the
 * moment when it is final. Throws `link_unknown`, `link_off`, `link_used_up`, `rate_limited`, `validation` at `amount`, and the
 * problems of `makeInvoice`.
 */
export async function payLink(
  db: Db,
  { id, amount }: Wanted,
  { locale, limitNetwork }: Pick<Context, 'locale' | 'limitNetwork'>,
): Promise<StoredInvoice> {
  const link = await readLink(db, id);
  if (!link.isOn) throw new Problem('link_off');
  if (isUsedUp(link, (await usesOf(db, [id]))(id))) throw new Problem('link_used_up');
  const { currency, sum, storeId, title } = link;
  const digits = digitsOf(currency);
  const stated = 'amount' in sum ? undefined : statedSum(link, amount, digits);
  await limitNetwork('invoices by links', MADE);
  const fixed = 'amount' in sum ? format(money(currency, sum.amount), digits) : undefined;
  const wanted = { store: storeId, amount: fixed, currency, lines: [], description: title, metadata: {} };
  return makeInvoice(db, wanted, locale, { byLink: { linkId: id, stated } });
}

/** Returns the sum that the buyer states, in parts. Throws `validation` at `amount` if it is missing or beyond the link's bounds. */
function statedSum({ currency, sum }: Link, text: string | undefined, digits: number): bigint {
  if ('amount' in sum) throw new Error('the sum of this link is fixed');
  if (text === undefined) throw fieldProblem('amount', 'required');
  const parts = parsedPositive('amount', text, currency, digits);
  const shown = (bound: bigint) => ({ min: format(money(currency, bound), digits), currency });
  if (parts < sum.least) throw fieldProblem('amount', 'amount_below_min', shown(sum.least));
  if (parts > sum.most)
    throw fieldProblem('amount', 'amount_above_max', { max: format(money(currency, sum.most), digits), currency });
  return parts;
}
