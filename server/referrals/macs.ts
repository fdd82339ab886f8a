// MACs of affiliates, bindings and campaigns. If SQL changed a row, it binds nobody and gives only the usual share, and the proof
// accuses it.

import { type Statements, isMac, macOf, steady } from '../platform/index.ts';
import type { Affiliate } from './affiliate.ts';

const affiliateContent = (one: Affiliate): string => {
  const { holderId, share, maxSplit: usualMaxSplit, level, owed, suspendedAt, hasStatements } = one;
  return steady([holderId, share, usualMaxSplit, level, owed, suspendedAt, hasStatements]);
};
/** Returns the MAC to store with an affiliate, or none if SQL changed the row. */
export const macOfAffiliate = (one: Affiliate): string | null =>
  one.isAltered ? null : macOf('affiliate', affiliateContent(one));
export const isAffiliateAsStored = (one: Affiliate, mac: string | null): boolean =>
  isMac('affiliate', affiliateContent(one), mac);

/** Identities of an account holder. */
export interface KnownKey {
  readonly holderId: string;
  readonly key: string;
  readonly at: Date;
}
const keyContent = ({ holderId, key, at }: KnownKey): string => steady([holderId, key, at]);
export const macOfKey = (one: KnownKey): string => macOf('affiliate key', keyContent(one));

/** Returns all stored data of a campaign, as text for its MAC. */
export interface CampaignRow {
  readonly holderId: string;
  readonly name: string;
  readonly split: number;
  readonly postback: string | null;
  readonly madeAt: Date;
  readonly changedAt: Date;
}
const campaignContent = ({ holderId, name, split, postback, madeAt, changedAt }: CampaignRow): string =>
  steady([holderId, name, split, postback, madeAt, changedAt]);
export const macOfCampaign = (one: CampaignRow): string => macOf('campaign', campaignContent(one));
export const isCampaignAsStored = (one: CampaignRow & { readonly mac: string | null }): boolean =>
  isMac('campaign', campaignContent(one), one.mac);

/** Returns a stored binding, as text for its MAC. */
export interface BindingRow {
  readonly customer: string;
  readonly affiliate: string;
  readonly campaign: string;
  readonly sub: string;
  readonly since: Date;
  readonly until: Date;
  readonly had_ordered: boolean;
}
const bindingContent = (row: BindingRow): string => {
  const { customer, affiliate, campaign, sub, since, until, had_ordered: hadOrdered } = row;
  return steady([customer, affiliate, campaign, sub, since, until, hadOrdered]);
};
export const macOfBinding = (row: BindingRow): string => macOf('binding', bindingContent(row));
export const isBindingAsMade = (row: BindingRow & { readonly mac: string | null }): boolean =>
  isMac('binding', bindingContent(row), row.mac);

/**
 * Returns bindings, campaigns and identities whose rows SQL changed, each by a name. `isNight`: those of the last two days alone.
 */
export async function alteredReferrals(db: Statements, { isNight }: { readonly isNight: boolean }): Promise<string[]> {
  const since = (column: string): string => (isNight ? `where ${column} > clock_now() - interval '2 days'` : '');
  const bindings = await db.rows<BindingRow & { mac: string | null }>(`select * from binding ${since('since')}`);
  const campaigns = await db.rows<CampaignRow & { mac: string | null }>(
    `select holder_id as "holderId", name, split, postback, made_at as "madeAt", changed_at as "changedAt", mac from affiliate_campaign
     ${since('changed_at')}`,
  );
  const keys = await db.rows<KnownKey & { mac: string | null }>(
    `select holder_id as "holderId", key, at, mac from affiliate_key ${since('at')}`,
  );
  return [
    ...bindings.filter((row) => !isBindingAsMade(row)).map(({ affiliate }) => `binding to ${affiliate}`),
    ...campaigns.filter((row) => !isCampaignAsStored(row)).map(({ holderId, name }) => `campaign ${name} of ${holderId}`),
    ...keys.filter((row) => !isMac('affiliate key', keyContent(row), row.mac)).map(({ holderId }) => `keys of ${holderId}`),
  ];
}
