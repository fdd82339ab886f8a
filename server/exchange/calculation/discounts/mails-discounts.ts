import { hasBoundCoupons } from '../../../coupons/index.ts';
import { ladder, mailsButtons } from '../../../loyalty/index.ts';
import type { Statements } from '../../../platform/index.ts';

/**
 * True if addresses can have discounts that are announced to their owners by letter. The answer is the same for every address, so
 * it reveals nothing.
 */
export const mailsDiscounts = async (db: Statements): Promise<boolean> =>
  mailsButtons() && (ladder().length > 0 || (await hasBoundCoupons(db)));
