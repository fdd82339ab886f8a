// Money-out: the one door out of a wallet, whatever the way: withdrawal, transfer, what is paid from a wallet.
//
// action       what takes money out of a wallet: its holder, its worth, where to, and whether the money leaves the desk
// step-up      a second factor or a mailed code, good for this very action (auth)
// freeze       no action passes for some days after a reset (auth)
// allow-list   while it is on, money goes only to addresses of the holder's book that are old enough
// people       how many operators let an action out: none within the day's bounds, one above, two above another
// counted      what leaves by itself, whatever the kind: a row for each payout, summed over the last hour and the last day

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
export { standingOf } from './holder-standing.ts';
export { type Unscreened, screenedFirst } from './screened.ts';
export { confirmationOf } from './confirmation.ts';
export { moneyOutJudge } from './judge.ts';
export { forgetHolder, labelOf, lockGuards } from './store.ts';
export { WALLET, currencyBy, personConfirmation } from './address-book.ts';
export { toldBounds } from './settings.ts';
export { moneyOutRoutes } from './routes.ts';
