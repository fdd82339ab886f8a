import { Problem } from '@kurs/contract';
import { boundCoupons, withBoundCoupons } from '../../../coupons/index.ts';
import { buttonOf, mailButtons } from '../../../loyalty/index.ts';
import { type Db, type Tx, canonicalEmail } from '../../../platform/index.ts';
import { limitsSubject } from '../calculate.ts';
import { type Calculation, priceContextOf, requireOpen } from '../calculation.ts';
import { lockCalculations, saveCalculation } from '../calculation-store.ts';
import { claimantOf, couponsOf, discountsOf, quoteWith } from './coupon-of.ts';

/**
 * Mails letters with a discount button to visitors whose addresses have a loyalty level or a bound coupon. Returns the number of
 * calculations checked.
 */
export const mailDiscountButtons = (db: Db, sender: { readonly name: string; readonly url: string }): Promise<number> =>
  mailButtons(db, sender, withBoundCoupons);

/**
 * Gives a visitor's calculation the discounts of the typed mailbox, after the mailbox's owner pressed the button in the letter. A
 * held quote ends, so that the review is quoted again. Returns the loyalty discount in percent of the fee, and the code of the
 * coupon. Throws `not_found` for an unknown token, if the calculation's address has changed or if there is no discount, and the
 * errors of `requireOpen`.
 */
export const confirmDiscount = (db: Db, token: string): Promise<{ percent: number; coupon?: string }> =>
  db.tx(async (tx) => {
    const button = await buttonOf(tx, token);
    const calculation = button && (await lockCalculations(tx, [button.calculation])).get(button.calculation);
    if (!calculation) throw new Problem('not_found');
    const { email, held, loyalty } = calculation;
    if (email === undefined || canonicalEmail(email) !== button.customer) throw new Problem('not_found');
    requireOpen(calculation, tx.now);
    const confirmed = { ...calculation, mailbox: button.customer };
    const coupon = calculation.coupon ?? (await boundFor(tx, confirmed, button.customer));
    if (button.percent === 0 && coupon === undefined) throw new Problem('not_found');
    const gains = { ...(button.percent > 0 && { loyalty: button.percent }), ...(coupon !== undefined && { coupon }) };
    if (loyalty !== gains.loyalty || coupon !== calculation.coupon || calculation.mailbox !== button.customer) {
      const over = held && { held: { ...held, expiresAt: tx.now.getTime() } };
      saveCalculation(tx, { ...confirmed, ...over, ...gains });
    }
    return { percent: button.percent, ...(coupon !== undefined && { coupon }) };
  });

/** Returns the code of an address's first bound coupon that can be used for this calculation; undefined if there is none. */
async function boundFor(tx: Tx, calculation: Calculation, customer: string): Promise<string | undefined> {
  const { email = customer, receive } = calculation;
  if (!receive) return undefined;
  const claimant = claimantOf(tx, await limitsSubject(tx, { ...calculation, email, receive }, undefined), customer);
  for (const coupon of await boundCoupons(tx, customer)) {
    try {
      const requests = await couponsOf(tx, { ...calculation, coupon }, { claimant });
      quoteWith(calculation, priceContextOf(calculation, 0, { coupons: discountsOf(requests) }), requests);
      return coupon;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }
  return undefined;
}
