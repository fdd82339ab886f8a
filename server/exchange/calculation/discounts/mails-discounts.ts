import { hasBoundCoupons } from '../../../coupons/index.ts';
import { ladder, mailsButtons } from '../../../loyalty/index.ts';
import type { Statements } from '../../../platform/index.ts';

/**
 * True if letters may announce discounts to the owners of addresses now. The answer is the same for every address, so a review
 * that shows it reveals nothing about an address.
 */
export const mailsDiscounts = async (db: Statements): Promise<boolean> =>
  mailsButtons() && (ladder().length > 0 || (await hasBoundCoupons(db)));
