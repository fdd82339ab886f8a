// Affiliates: the earnings of account holders who refer customers.
//
// reward    a share of the desk's profit from an order, for the affiliate who referred its customer and the one who referred them
// profit    fee less discounts other than the friend's, less what providers kept beyond their line, less the provision; in the
//           unit of rewards, by the mid rate of the exchange
// case      a reward that people decide, since customer and earner share an identity: both rewards of an order if it is the first
//           affiliate, only the second reward if it is the second one
// matured   its waiting days are over: it can be taken out · owed: of a reward that was taken back after it had left
// machine   the states of rewards as data: reward.ts

export { affiliateOrders } from './apply-orders.ts';
export { casesView, decideCase } from './cases.ts';
export { affiliateCheck } from './check-books.ts';
export { rewardChangeTokens } from './change-tokens.ts';
export {
  forgetPostbacks,
  healthOfPostbacks,
  postbackChannel,
  putPostback,
  switchPostbackOn,
  troubledPostbacks,
} from './postbacks.ts';
export { REWARD_MACHINE, REWARD_POSTINGS } from './reward.ts';
export { waitingCounts } from './reward-store.ts';
export { affiliateRoutes } from './routes.ts';
export { canTakeOut, giveUpRewards } from './take-out.ts';
export { rewardRows } from './views.ts';
export { runAffiliates } from './work.ts';
