// Pots: the desk's money set aside for gifts, so that it never promises more than it has.
//
// pot       `promo:affiliate` (rewards), `promo:late` (late and fixed coupons), `promo:earn` (prizes, tasks), in the unit of
//           rewards: sums in USD are that much of it
// funding   an action of people that sets free money aside, or takes it back

export { fundPot, peopleForPot, wasFunded } from './fund-pot.ts';
export { potCheck } from './check-books.ts';
export { type PotKind, POT_KINDS, leftInPots, lockPot, potAccount } from './pot.ts';
export { lateReserve } from './settings.ts';
