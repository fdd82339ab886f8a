// Bindings of the contract's calls to this room's verbs; no logic.

import type { Routes } from '@kurs/contract';
import { type Db, type Work, userOf } from '../platform/index.ts';
import { type Campaign, campaignsOf, isChangeable, keepCampaign } from './campaigns.ts';
import { statisticsOf } from './statistics.ts';

type Names = 'affiliateCampaigns' | 'affiliateCampaign' | 'affiliateStatistics';

/** What every affiliate may give friends, in percent of their share. */
const MOST_SPLIT = 50;

/** The room's calls by their names in the contract. */
export function referralRoutes(db: Db): { [N in Names]: Work<Routes[N]> } {
  return {
    async affiliateCampaigns(_input, context) {
      const [campaigns, now] = await Promise.all([campaignsOf(db, userOf(context).id), db.now()]);
      return { campaigns: campaigns.map((one) => shown(one, now)), most_split: MOST_SPLIT };
    },
    affiliateCampaign: ({ name, split, postback }, context) =>
      db.tx(async (tx) => {
        const kept = await keepCampaign(tx, userOf(context).id, { name, split, postback, mostSplit: MOST_SPLIT });
        return shown(kept, tx.now);
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
