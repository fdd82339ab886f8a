// Money-out: checks everything that leaves a wallet: withdrawals, transfers, payments from a wallet.
//
// action       something that takes money out of a wallet: its holder, worth, target, and if the money leaves the desk
// step-up      a second factor or a mailed code, valid for one action only (auth)
// freeze       a period of some days after a reset in which no action passes (auth)
// allow-list   while it is on, money goes only to addresses of the holder's book that are old enough
// people       number of operators who must approve an action: none within the day's limits, one above, two above a higher limit
// counted      a payout that leaves without approval, of any kind: one row each, summed over the last hour and the last day

export {
  type OutAction,
  type Passed,
  type Passing,
  passOut,
  peopleOut,
  redirectOut,
  takeBackOut,
  whatStops,
  wouldPass,
} from './pass-out.ts';
export {
  type Counting,
  type Out,
  type OutCustomer,
  OutSums,
  countOut,
  countedAgainst,
  customerKey,
  forgetOut,
  lockOut,
  readOut,
  uncountOut,
  uncountedAmong,
} from './counted-payouts.ts';
export { MONEY_OUT, defineOutKind } from './kinds.ts';
export { INTO_WALLET_EVENT, type IntoWallet } from './into-wallet.ts';
export { reversalsPending } from './obstacles.ts';
export { statusOf } from './holder-status.ts';
export { type Unscreened, screenedFirst } from './screened.ts';
export { confirmationOf } from './confirmation.ts';
export { moneyOutCheck } from './check-books.ts';
export { forgetHolder, labelOf, lockGuards } from './store.ts';
export { WALLET, currencyBy, personConfirmation } from './address-book.ts';
export { shownBounds } from './settings.ts';
export { moneyOutRoutes } from './routes.ts';
