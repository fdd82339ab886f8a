// Bindings of the contract's calls to this room's verbs; no logic.

import { type Output, Problem, type Routes } from '@kurs/contract';
import type { Health } from '../deliveries/index.ts';
import { type Db, type Statements, type Tx, type Work, userOf } from '../platform/index.ts';
import { maxSplit } from './affiliate.ts';
import { findAffiliate } from './affiliate-store.ts';
import { type Campaign, campaignOf, campaignsOf, isChangeable, storeCampaign } from './campaigns.ts';
import { statisticsOf } from './statistics.ts';

type Names = 'affiliateCampaigns' | 'affiliateCampaign' | 'affiliateCampaignOn' | 'affiliateStatistics';
type Shown = Output<Routes['affiliateCampaign']>;

/** Postbacks of campaigns. A room on a higher floor knows their content. */
export interface Postbacks {
  /** Stores the address for a campaign's postbacks (undefined: none), and returns the new signing secret. */
  put(
    tx: Tx,
    of: { readonly holderId: string; readonly campaign: string; readonly url: string | undefined },
  ): Promise<string | undefined>;
  /** Switches the postbacks of a campaign on. With `mayDeliverMissed`, also sends the missed events. */
  switchOn(tx: Tx, of: { readonly holderId: string; readonly campaign: string }, mayDeliverMissed: boolean): Promise<boolean>;
  /** Delivery status of some campaigns' postbacks, by the campaign. */
  healthOf(db: Statements, holderId: string, campaigns: readonly string[]): Promise<ReadonlyMap<string, Health>>;
}

/** The room's calls by their names in the contract. */
export function referralRoutes(db: Db, postbacks: Postbacks): { [N in Names]: Work<Routes[N]> } {
  const withHealth = async (on: Statements, holderId: string, campaigns: readonly Campaign[], now: Date): Promise<Shown[]> => {
    const reported = campaigns.filter(({ postback }) => postback !== undefined);
    const healths = await postbacks.healthOf(
      on,
      holderId,
      reported.map(({ name }) => name),
    );
    return campaigns.map((one) => shown(one, now, one.postback === undefined ? undefined : healths.get(one.name)));
  };
  return {
    async affiliateCampaigns(_input, context) {
      const { id } = userOf(context);
      const [campaigns, affiliate, now] = await Promise.all([campaignsOf(db, id), findAffiliate(db, id), db.now()]);
      return { campaigns: await withHealth(db, id, campaigns, now), most_split: maxSplit(affiliate) };
    },
    affiliateCampaign: ({ name, split, postback }, context) =>
      db.tx(async (tx) => {
        const { id } = userOf(context);
        const before = await campaignOf(tx, { holderId: id, campaign: name });
        const stored = await storeCampaign(tx, id, { name, split, postback, maxSplit: maxSplit(await findAffiliate(tx, id)) });
        const isSame = before?.postback === stored.postback;
        const secret = isSame ? undefined : await postbacks.put(tx, { holderId: id, campaign: name, url: stored.postback });
        // Saving an address again switches it on again.
        if (isSame) await postbacks.switchOn(tx, { holderId: id, campaign: name }, false);
        const [saved] = await withHealth(tx, id, [stored], tx.now);
        return { ...saved!, ...(secret !== undefined && { secret }) };
      }),
    affiliateCampaignOn: ({ name, missed }, context) =>
      db.tx(async (tx) => {
        const { id } = userOf(context);
        const campaign = await campaignOf(tx, { holderId: id, campaign: name });
        if (campaign?.postback === undefined) throw new Problem('not_found');
        await postbacks.switchOn(tx, { holderId: id, campaign: name }, missed);
        const [switched] = await withHealth(tx, id, [campaign], tx.now);
        return switched!;
      }),
    affiliateStatistics: async (input, context) => statisticsOf(db, userOf(context).id, input, await db.now()),
  };
}

const shown = (campaign: Campaign, now: Date, health?: Health): Shown => ({
  name: campaign.name,
  split: campaign.split,
  ...(campaign.postback !== undefined && { postback: campaign.postback }),
  changeable: isChangeable(campaign, now),
  ...(health && { postback_state: shownHealth(health) }),
});

/** Delivery status of postbacks, as the contract writes it. */
const shownHealth = ({ state, since, because, status, said, missed }: Health): NonNullable<Shown['postback_state']> => ({
  state,
  ...(since && { since: since.toISOString() }),
  ...(because && { reason: because }),
  ...(state !== 'on' && { ...(status !== null && { status }), ...(said !== null && said !== '' && { said }) }),
  missed,
});
