// Coupons: what customers are let off of the fee by a code, with a bound on what each can cost.
//
// coupon    percent (of the fee), fixed (a sum for each use), late (a balance for an order that took too long), credit (a balance
//           of prizes); fixed, late and credit are paid from money that was set aside, percent only counts
// use       an order's claim to one: held as it is placed, spent as it is exchanged, free where it comes to nothing
// budget    what a coupon may still give, what is held included; of a funded one what stands in its account
// rest      what a fixed coupon could not give in a use: the same customer may use it
// machines  of coupons and of uses as data: coupon.ts, use.ts

export { askCoupon, askFound, couponsByCode, type Claimant, type CouponAsked, requireWorth, typedCoupon } from './ask-coupon.ts';
export { addCredit, askCredit, askCredits, creditOf, giveUpCredit, switchCredit } from './credit.ts';
export { type Coupon, COUPON_MACHINE, COUPON_POSTINGS, LEAST_PARTS, canonicalCode } from './coupon.ts';
export { findCoupon, listCoupons } from './coupon-store.ts';
export { endCoupons, stopCoupon } from './end-coupons.ts';
export { type Given, type Late, earnLate, fillLate, voidLate, waitingLate } from './late/late-coupons.ts';
export { couponJudge } from './judge.ts';
export { type CouponsWanted, type MadeByAct, couponsByAct, greatestCost, makeCoupons, peopleForCoupons } from './make-coupons.ts';
export { couponMarks } from './marks.ts';
export { moveCoupons } from './move-coupons.ts';
export {
  type OwnCoupon,
  boundCoupons,
  forgetKept,
  hasBoundCoupons,
  keepCoupon,
  ownCoupons,
  withBoundCoupons,
} from './own-coupons.ts';
export { couponTries } from './settings.ts';
export { type HeldUse, USE_MACHINE, USE_POSTINGS } from './use.ts';
export { type HoldAsked, type UseMoved, freeAgain, holdUse, moveUses } from './hold-use.ts';
