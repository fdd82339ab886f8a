// Referrals: affiliates who send us customers, and their terms. The room of affiliates, above the exchange, computes their
// rewards.
//
// affiliate  an account holder who refers others; without a row they have the usual terms
// share      their percentage of the desk's profit: by their step of the ladder, or their own
// split      part of their share that a campaign's friends get as a discount
// binding    the affiliate of an account, or of an address without one: for 90 days from a click, or for good by the sign-up's
//            reference
// visit      a click that a calculation came by; it counts if its customer is bound to nobody
// reference  text of a link that names an account's code or alias, with a campaign after a dot
// campaign   a named group of an affiliate's links, counted together, with a discount for friends
// click      a device that opened a link: counted once a day and campaign
// day        the results of a campaign on a day: counted as they happen

export { type Affiliate, friendShare, maxSplit, rewardShare, shareOf, usualAffiliate } from './affiliate.ts';
export {
  AFFILIATE_IDS,
  type Terms,
  climbed,
  findAffiliate,
  findAffiliates,
  lockAffiliates,
  noteKeys,
  owedByAffiliates,
  saveLevels,
  saveAffiliates,
  alteredAffiliates,
  saveTerms,
  switchStatements,
  withoutStatements,
} from './affiliate-store.ts';
export { type Ties, bindAll, forgetBinding, forgetBindings, forgetTypedBinding, moveBinding, tiesOfHolders } from './binding.ts';
export { type Sent, type Visit, sharedKeys, whoSent } from './sent.ts';
export { activeCents, affiliateRules, minToWallet, levels, maxPercent, secondPercent } from './settings.ts';
export { campaignOf, campaignsOf, campaignsReported, forgetCampaigns, storeCampaign } from './campaigns.ts';
export { type Clicks, forgetClicks, openClicks } from './clicks.ts';
export { referralRoutes } from './routes.ts';
export { alteredReferrals } from './macs.ts';
export { affiliateChangeTokens } from './change-tokens.ts';
export { countSignUp } from './sign-ups.ts';
export { type DayCounted, countDays, statisticsOf, statisticsRows } from './statistics.ts';
export { isTakeBackPending } from './taken-back.ts';
export { visitOf } from './visit.ts';
