// Bindings of the contract's calls to this room's verbs; no logic.

import type { Routes } from '@kurs/contract';
import { type Db, type Tx, type Work, userOf } from '../platform/index.ts';
import { mostSplit } from './affiliate.ts';
import { findAffiliate } from './affiliate-store.ts';
import { type Campaign, campaignOf, campaignsOf, isChangeable, keepCampaign } from './campaigns.ts';
import { statisticsOf } from './statistics.ts';

type Names = 'affiliateCampaigns' | 'affiliateCampaign' | 'affiliateStatistics';

/**
 * Keeps where the orders of a campaign are told (undefined: nowhere), and gives the new secret that they are signed with: what is
 * told is known on a higher floor.
 */
export type PutPostback = (
  tx: Tx,
  of: { readonly holderId: string; readonly campaign: string; readonly url: string | undefined },
) => Promise<string | undefined>;

/** The room's calls by their names in the contract. */
export function referralRoutes(db: Db, putPostback: PutPostback): { [N in Names]: Work<Routes[N]> } {
  return {
    async affiliateCampaigns(_input, context) {
      const { id } = userOf(context);
      const [campaigns, affiliate, now] = await Promise.all([campaignsOf(db, id), findAffiliate(db, id), db.now()]);
      return { campaigns: campaigns.map((one) => shown(one, now)), most_split: mostSplit(affiliate) };
    },
    affiliateCampaign: ({ name, split, postback }, context) =>
      db.tx(async (tx) => {
        const { id } = userOf(context);
        const before = await campaignOf(tx, { holderId: id, campaign: name });
        const kept = await keepCampaign(tx, id, { name, split, postback, mostSplit: mostSplit(await findAffiliate(tx, id)) });
        const isSame = before?.postback === kept.postback;
        const secret = isSame ? undefined : await putPostback(tx, { holderId: id, campaign: name, url: kept.postback });
        return { ...shown(kept, tx.now), ...(secret !== undefined && { secret }) };
      }),
    affiliateStatistics: async (input, context) => statisticsOf(db, userOf(context).id, input, await db.now()),
  };
}

const shown = (campaign: Campaign, now: Date): { name: string; split: number; postback?: string; changeable: boolean } => ({
  name: campaign.name,
  split: campaign.split,
  ...(campaign.postback !== undefined && { postback: campaign.postback }),
  changeable: isChangeable(campaign, now),
});
