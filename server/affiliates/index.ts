// Affiliates: what those earn who send customers, and what becomes of it.
//
// reward    a share of what the desk kept of an order: of who sent its customer, and of who sent that affiliate
// profit    what the desk kept: fee less discounts other than the friend's, less what providers kept beyond their line, less
//           the provision; in the unit of rewards, by the middle that the order was exchanged at
// case      a reward that people decide, since the customer and who earns of them are known by the same: both rewards of an order
//           where that is the affiliate, the second level's alone where it is who sent the affiliate
// matured   its days are over: it can be taken out · owed: of a reward that was taken back after it had gone out
// machine   of rewards as data: reward.ts

export { affiliateOrders } from './apply-orders.ts';
export { casesView, decideCase } from './cases.ts';
export { affiliateJudge } from './judge.ts';
export { rewardMarks } from './marks.ts';
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
