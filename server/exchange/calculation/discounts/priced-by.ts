// Chooses the quote for a calculation's review.

import type { Level, Subject } from '../../../compliance/index.ts';
import type { CouponRequest } from '../../../coupons/index.ts';
import { holderLoyalty } from '../../../loyalty/index.ts';
import { type Tx, allEnded } from '../../../platform/index.ts';
import type { Sent } from '../../../referrals/index.ts';
import { type Calculation, type HeldQuote, hasItsLevel, heldBreakdown, isHeld } from '../calculation.ts';
import { claimantOf, couponsOf, reachesCredit } from './coupon-of.ts';
import { sameSender, senderOfCustomer } from './sender-of.ts';

/** The held quote in `quoted` if it is still valid; otherwise the inputs for a fresh quote. */
interface Priced {
  readonly quoted?: HeldQuote;
  readonly calculation: Calculation;
  readonly loyalty: number | undefined;
  readonly coupons: readonly CouponRequest[];
  readonly sent: Sent | undefined;
}

/**
 * Returns the held quote if it is still valid: the customer has at least the quote's level, the same affiliate and enough credit.
 * Otherwise returns the inputs for a fresh quote with the customer's current discounts.
 */
export async function pricedBy(
  tx: Tx,
  known: Calculation,
  {
    own,
    subject,
    level,
  }: { readonly own: Parameters<typeof holderLoyalty>[1]; readonly subject: Subject; readonly level: Level },
): Promise<Priced> {
  const { loyalty: before, held, ...given } = known;
  const claimant = claimantOf(tx, subject, known.mailbox);
  const sent = await senderOfCustomer(tx, known, subject);
  if (held && isHeld(known, tx.now) && hasItsLevel(held, level) && sameSender(held.sent, sent)) {
    // The coupon of the code is checked again when the order is placed. The credit is checked here, because another order may
    // have used it up.
    const credit = await couponsOf(tx, { ...known, coupon: undefined }, { claimant });
    if (reachesCredit({ breakdown: heldBreakdown(held), terms: held.terms }, credit))
      return { quoted: held, calculation: known, loyalty: before, coupons: [], sent: undefined };
  }
  const [loyalty, coupons] = await allEnded([own ? holderLoyalty(tx, own) : before, couponsOf(tx, known, { claimant })]);
  return { calculation: { ...given, ...(loyalty !== undefined && { loyalty }) }, loyalty, coupons, sent };
}
