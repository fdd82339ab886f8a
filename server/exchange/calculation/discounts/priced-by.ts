// Chooses the quote for a calculation's review.

import type { Level, Subject } from '../../../compliance/index.ts';
import type { CouponRequest } from '../../../coupons/index.ts';
import { holderLoyalty } from '../../../loyalty/index.ts';
import { type Tx, allEnded } from '../../../platform/index.ts';
import type { Sent } from '../../../referrals/index.ts';
import { type Calculation, type HeldQuote, hasItsLevel, heldBreakdown, isHeld } from '../calculation.ts';
import { claimantOf, couponsOf, reachesCredit } from './coupon-of.ts';
import { sameSender, senderOfCustomer } from './sender-of.ts';

/** Result of `pricedBy`: the held quote in `quoted`, or the inputs for a fresh one. */
interface Priced {
  readonly quoted?: HeldQuote;
  readonly calculation: Calculation;
  readonly loyalty: number | undefined;
  readonly coupons: readonly CouponRequest[];
  readonly sent: Sent | undefined;
}

/**
 * Returns the current quote if the customer still has its level, its affiliate and the credit that it counts on. Otherwise
 * returns the inputs for a fresh quote, which pins the holder's current discounts.
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
    // The code's coupon is checked again when the order is placed. The credit is checked here: another order may have used it up.
    const credit = await couponsOf(tx, { ...known, coupon: undefined }, { claimant });
    if (reachesCredit({ breakdown: heldBreakdown(held), terms: held.terms }, credit))
      return { quoted: held, calculation: known, loyalty: before, coupons: [], sent: undefined };
  }
  const [loyalty, coupons] = await allEnded([own ? holderLoyalty(tx, own) : before, couponsOf(tx, known, { claimant })]);
  return { calculation: { ...given, ...(loyalty !== undefined && { loyalty }) }, loyalty, coupons, sent };
}
