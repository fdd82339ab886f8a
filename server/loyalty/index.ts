// Loyalty: discounts on the fee for customers' turnover.
//
// turnover  USD worth of the amounts given in a customer's completed orders, by day, under a canonical e-mail address
// level     discount for the turnover of 30 days: a percentage of the fee
// button    link mailed to a visitor's address with a level: its owner confirms by it, and nobody who only typed it

export { askForButton, buttonOf, forgetButtons, mailButtons } from './button.ts';
export { LEVELS, ladder, ladderOf, mailsButtons } from './loyalty-settings.ts';
export { holderLoyalties, holderLoyalty, holderStatus } from './holder-loyalty.ts';
export {
  type Counted,
  alteredTurnover,
  countTurnover,
  forgetTurnover,
  forgetTurnoverOf,
  moveTurnover,
  turnoverOf,
} from './turnover.ts';
export { statusAt } from './ladder.ts';
