// Loyalty: what customers are let off of the fee for what they turned over.
//
// turnover  the USD worth of what somebody's completed orders gave, by day, under a canonical e-mail address
// level     what loyalty gives for the turnover of 30 days: a percentage of the fee
// button    what is mailed to a visitor's address that has a level: its owner confirms by it, and nobody who only typed it

export { askForButton, buttonOf, forgetButtons, mailButtons } from './button.ts';
export { LEVELS, ladder, ladderOf, mailsButtons } from './loyalty-settings.ts';
export { holderLoyalties, holderLoyalty, holderStanding } from './holder-loyalty.ts';
export {
  type Counted,
  alteredTurnover,
  countTurnover,
  forgetTurnover,
  forgetTurnoverOf,
  moveTurnover,
  turnoverOf,
} from './turnover.ts';
export { standingAt } from './ladder.ts';
