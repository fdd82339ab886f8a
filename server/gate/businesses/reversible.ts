// Bounds of a business for methods whose payments can be taken back for months: what two people permitted, or the usual ones.

import { isDeepStrictEqual } from 'node:util';
import { RECEIPT_DAYS } from '../../compliance/index.ts';
import { usdCents } from '../../rates/index.ts';
import { settings } from '../settings.ts';

/** A business's own terms of such methods. Sums are in cents; undefined where the usual terms hold. */
export interface ReversibleTerms {
  /** True if invoices of the business can be paid by such methods. */
  readonly isOn: boolean;
  /** Maximum of one invoice. */
  readonly invoiceUsd: bigint | undefined;
  /** Maximum of receipts that are younger than 180 days. */
  readonly receiptsUsd: bigint | undefined;
  /** Days after which a receipt leaves the store's reserve. */
  readonly releaseDays: number | undefined;
  /** Part of a receipt, in percent, that stays in the reserve for 180 days. */
  readonly lastShare: number | undefined;
}

/** Days for which a receipt may stay in the reserve: as long as it counts towards the maximum of its business. */
export const RESERVE_DAYS = RECEIPT_DAYS;

/** Terms of a business about which nobody decided. */
export const NOT_REVERSIBLE: ReversibleTerms = {
  ...{ isOn: false, invoiceUsd: undefined, receiptsUsd: undefined, releaseDays: undefined, lastShare: undefined },
};

/** True if nobody decided about a business's terms. */
export const isUsual = (terms: ReversibleTerms): boolean => isDeepStrictEqual(terms, NOT_REVERSIBLE);

/** Terms that hold: a business's own, or the usual ones where it has none. */
export interface ReversibleBounds {
  readonly isOn: boolean;
  readonly invoiceUsd: bigint;
  readonly receiptsUsd: bigint;
  readonly releaseDays: number;
  readonly lastShare: number;
}

/** Returns the terms that hold for a business. */
export function boundsOf({ isOn, invoiceUsd, receiptsUsd, releaseDays, lastShare }: ReversibleTerms): ReversibleBounds {
  return {
    isOn,
    invoiceUsd: invoiceUsd ?? usdCents(settings.get('gate.paypal_invoice_usd')),
    receiptsUsd: receiptsUsd ?? usdCents(settings.get('gate.paypal_receipts_usd')),
    releaseDays: releaseDays ?? RESERVE_DAYS,
    lastShare: lastShare ?? 0,
  };
}

/** True if new terms let a business be paid more, or have it earlier, than the present ones. */
export function areLooser(next: ReversibleTerms, present: ReversibleTerms): boolean {
  const [after, before] = [boundsOf(next), boundsOf(present)];
  if (!after.isOn) return false;
  return (
    !before.isOn ||
    after.invoiceUsd > before.invoiceUsd ||
    after.receiptsUsd > before.receiptsUsd ||
    after.releaseDays < before.releaseDays ||
    after.lastShare < before.lastShare
  );
}
