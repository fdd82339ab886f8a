import { hasBoundCoupons } from '../../../coupons/index.ts';
import { ladder, mailsButtons } from '../../../loyalty/index.ts';
import type { Statements } from '../../../platform/index.ts';

/** True if addresses can have discounts here, of which their owners are told by a letter: the same of whatever address. */
export const mailsDiscounts = async (db: Statements): Promise<boolean> =>
  mailsButtons() && (ladder().length > 0 || (await hasBoundCoupons(db)));
