// Money-out: checks everything that leaves a wallet: withdrawals, transfers, payments from a wallet.
//
// action       movement of money out of a wallet: its holder, value and receiver, and whether the money leaves the desk
// step-up      a second factor or a mailed code, valid for one action only (room auth)
// freeze       some days after a reset of an account in which no action passes (room auth)
// allow-list   while it is on, money goes only to addresses of the holder's book that are old enough
// people       number of operators who must approve an action: none within the limits, one above, two above a higher limit
// counted      recorded as a payout that leaves without approval; all kinds are added up over the last hour and day

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
export { freezesOf, requireUnfrozen, reversalsPending } from './obstacles.ts';
export { statusOf } from './holder-status.ts';
export { type Unscreened, screenedFirst } from './screened.ts';
export { confirmationOf } from './confirmation.ts';
export { moneyOutCheck } from './check-books.ts';
export { forgetHolder, labelOf, lockGuards } from './store.ts';
export { WALLET, currencyBy, personConfirmation } from './address-book.ts';
export { shownBounds } from './settings.ts';
export { moneyOutRoutes } from './routes.ts';
