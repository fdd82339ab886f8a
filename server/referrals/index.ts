// Referrals: who sent us a customer, and on which terms. What that earns is reckoned by the room of affiliates, above the exchange.
//
// affiliate  an account holder who sends others; one of whom nothing is kept has the usual terms
// share      the percentage of what the desk keeps that is theirs: by the step of the ladder they stand on, or their own
// split      what of their share a campaign's friends get as a discount
// binding    to whom an account, or an address without one, belongs: for 90 days from a click, or for good by the sign-up's reference
// visit      a click that a calculation came by; it counts where its customer is bound to nobody
// reference  what a link names: an account's code or alias, with a campaign behind a dot
// campaign   a name of an affiliate's own under which links are counted, with what friends get by it
// click      a device that opened a link: each once a day and campaign
// day        what a day brought by a campaign: counted as it happens

export { type Affiliate, friendShare, mostSplit, rewardShare, shareOf, usualAffiliate } from './affiliate.ts';
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
export { activeCents, affiliateRules, leastToWallet, levels, mostPercent, secondPercent } from './settings.ts';
export { campaignOf, campaignsOf, campaignsTold, forgetCampaigns, keepCampaign } from './campaigns.ts';
export { type Clicks, forgetClicks, openClicks } from './clicks.ts';
export { referralRoutes } from './routes.ts';
export { alteredReferrals } from './macs.ts';
export { affiliateMarks } from './marks.ts';
export { countSignUp } from './sign-ups.ts';
export { type DayCounted, countDays, statisticsOf, statisticsRows } from './statistics.ts';
export { isTakeBackPending } from './taken-back.ts';
export { visitOf } from './visit.ts';
