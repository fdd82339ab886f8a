// The desk lets a business be paid by methods whose payments can be taken back for months, within bounds.

import { type Input, type Output, Problem, type Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import {
  type Business,
  type ReversibleTerms,
  areLooser,
  boundsOf,
  lockBusiness,
  requireLimitable,
  setReversible,
} from '../../gate/index.ts';
import type { Db } from '../../platform/index.ts';
import type { Person } from '../people/roles.ts';
import { type Acted, type Wanted, actAs } from '../people/two-people.ts';
import { centsOf } from './usd-cents.ts';

/** Name of the action in the audit. */
export const REVERSIBLE_NAME = 'business_reversible';

const usd = (cents: bigint): string => format(money('USD', cents));

/** Returns the terms that hold for a business. */
export function reversibleView({ reversible }: Pick<Business, 'reversible'>): Output<Routes['operatorBusiness']>['reversible'] {
  const { isOn, invoiceUsd, receiptsUsd, releaseDays, lastShare } = boundsOf(reversible);
  return {
    ...{ on: isOn, invoice_usd: usd(invoiceUsd), receipts_usd: usd(receiptsUsd) },
    ...{ release_days: releaseDays, last_share: lastShare },
  };
}

/** Terms of a business as the audit has them: its own ones, each as a text. */
export type ReversibleTexts = ReturnType<typeof reversibleTexts>;

/** Returns a business's own terms as the audit has them; `none` where the usual ones hold. */
export function reversibleTexts({ isOn, invoiceUsd, receiptsUsd, releaseDays, lastShare }: ReversibleTerms) {
  const text = (value: bigint | undefined): string => (value === undefined ? 'none' : usd(value));
  return {
    ...{ on: isOn, invoice_usd: text(invoiceUsd), receipts_usd: text(receiptsUsd) },
    ...{ release_days: releaseDays ?? 'none', last_share: lastShare ?? 'none' },
  } as const;
}

/**
 * Lets a business be paid by methods whose payments can be taken back for months, or stops it, and sets its own terms of them. What
 * is looser takes two people. Throws `not_found`, `validation` at the sums, and the errors of `requireLimitable` and `actAs`.
 */
export async function allowReversible(
  db: Db,
  person: Person,
  {
    id,
    on,
    invoice_usd: invoice,
    receipts_usd: receipts,
    release_days: days,
    last_share: share,
    reason,
  }: Input<Routes['operatorBusinessReversible']>,
  key?: string,
): Promise<Acted> {
  const next: ReversibleTerms = {
    isOn: on,
    invoiceUsd: invoice === undefined ? undefined : centsOf('invoice_usd', invoice),
    receiptsUsd: receipts === undefined ? undefined : centsOf('receipts_usd', receipts),
    ...{ releaseDays: days, lastShare: share },
  };
  return db.tx(async (tx) => {
    const business = await lockBusiness(tx, id);
    if (!business) throw new Problem('not_found');
    const wanted: Wanted = {
      ...{ action: REVERSIBLE_NAME, subject: id, reason, permission: 'businesses.judge', key },
      people: areLooser(next, business.reversible) ? 2 : 1,
      // The usual bounds count, too: a request is void once they have changed.
      about: JSON.stringify([reversibleTexts(business.reversible), reversibleView(business)]),
      body: reversibleTexts(next),
      check: () => requireLimitable(business),
    };
    return actAs(tx, person, wanted, () => setReversible(tx, business, next));
  });
}
