// Coupons: discounts on the fee by a code, with a limit of the cost of each.
//
// coupon    percent (of the fee), fixed (an amount for each use), late (a balance for an order that took too long), credit (a
//           balance of prizes); fixed, late and credit are paid from money set aside, percent only counts
// use       an order's claim to one: held at its placing, spent at its exchange, free if it is not used after all
// budget    amount that a coupon may still give, held amounts included; for a funded one the balance of its account
// rest      amount that a fixed coupon could not give in a use: the same customer may use it
// machines  the states of coupons and of uses as data: coupon.ts, use.ts

export {
  askCoupon,
  askFound,
  couponsByCode,
  type Claimant,
  type CouponRequest,
  requireWorth,
  typedCoupon,
} from './coupon-request.ts';
export { addCredit, askCredit, askCredits, creditOf, giveUpCredit, switchCredit } from './credit.ts';
export { type Coupon, COUPON_MACHINE, COUPON_POSTINGS, MIN_PARTS, canonicalCode } from './coupon.ts';
export { findCoupon, listCoupons } from './coupon-store.ts';
export { endCoupons, stopCoupon } from './end-coupons.ts';
export { type Given, type Late, earnLate, fillLate, voidLate, waitingLate } from './late/late-coupons.ts';
export { couponCheck } from './check-books.ts';
export { type CouponsWanted, type MadeByAct, couponsByAct, greatestCost, makeCoupons, peopleForCoupons } from './make-coupons.ts';
export { couponChangeTokens } from './change-tokens.ts';
export { moveCoupons } from './move-coupons.ts';
export {
  type OwnCoupon,
  boundCoupons,
  forgetStored,
  hasBoundCoupons,
  addOwnCoupon,
  ownCoupons,
  withBoundCoupons,
} from './own-coupons.ts';
export { couponTries } from './settings.ts';
export { type HeldUse, USE_MACHINE, USE_POSTINGS } from './use.ts';
export { type HoldRequest, type UseMoved, freeAgain, holdUse, moveUses } from './hold-use.ts';
