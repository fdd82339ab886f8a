// MACs of coupons and of their uses. A row that was changed by SQL gives nothing, and keeps its wrong MAC until people put it right.

import { isMac, macOf, steady } from '../platform/index.ts';
import type { Coupon } from './coupon.ts';
import type { StoredUse } from './use.ts';

/** The text under a coupon's MAC: all of its row. */
function couponContent(one: Coupon): string {
  const { id, code, kind, state, percent, value, startsAt, endsAt, uses, perCustomer, directions, min, isFirstOnly } = one;
  const { emailKey, holderId, isOff, taken, budget, held, fromPot, max, madeBy, madeAt } = one;
  const { earnedBy, earnedKeys, givenAt, action } = one;
  return steady([
    ...[id, code, kind, state, percent, value, startsAt, endsAt, uses, perCustomer, directions, min, isFirstOnly],
    ...[emailKey, holderId, isOff, taken, budget, held, fromPot, max, madeBy, madeAt],
    ...[earnedBy, earnedKeys, givenAt, action],
  ]);
}

/** The MAC to store with a coupon; none for one whose row was changed by SQL. */
export const macOfCoupon = (coupon: Coupon): string | null => (coupon.isAltered ? null : macOf('coupon', couponContent(coupon)));

/** True if a coupon's row differs from what we stored. */
export const isCouponAltered = (coupon: Coupon, mac: string | null): boolean => !isMac('coupon', couponContent(coupon), mac);

/** The text under the MAC of a use: all of its row. */
const useContent = ({ id, couponId, state, held, spent, rest, restOf, owner, keys, at }: StoredUse): string =>
  steady([id, couponId, state, held, spent, rest, restOf, owner.kind, owner.id, keys, at]);

/** The MAC to store with a use; none for one whose row was changed by SQL. */
export const macOfUse = (use: StoredUse): string | null => (use.isAltered ? null : macOf('coupon use', useContent(use)));

/** True if the row of a use differs from what we stored. */
export const isUseAltered = (use: StoredUse, mac: string | null): boolean => !isMac('coupon use', useContent(use), mac);
