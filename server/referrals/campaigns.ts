// Campaigns: groups of an affiliate's links, each with its friends' discount and its address for postbacks.

import { Problem, fieldProblem } from '@kurs/contract';
import type { Statements, Tx } from '../platform/index.ts';
import { type CampaignRow, isCampaignAsStored, macOfCampaign } from './macs.ts';

/** An affiliate, and one of their campaigns; an empty name for none. */
export interface Sender {
  readonly holderId: string;
  readonly campaign: string;
}

/** A campaign of an affiliate. */
export interface Campaign {
  readonly name: string;
  /** Percent of the affiliate's share that its friends get as a discount. */
  readonly split: number;
  /** Address for postbacks of its orders; undefined: none. */
  readonly postback: string | undefined;
  readonly changedAt: Date;
}

/** Maximum number of campaigns of an affiliate. */
const MAX_CAMPAIGNS = 100;

type Row = CampaignRow & { readonly mac: string | null };
const COLUMNS = 'holder_id as "holderId", name, split, postback, made_at as "madeAt", changed_at as "changedAt", mac';
/** Returns a campaign by its row. If SQL changed the row, it gives friends nothing and has no address for postbacks. */
const campaignIn = (row: Row): Campaign => {
  const { name, split, postback, changedAt } = row;
  if (!isCampaignAsStored(row)) return { name, split: 0, postback: undefined, changedAt };
  return { name, split, postback: postback ?? undefined, changedAt };
};

/** Returns a campaign by its name, or undefined. */
export async function campaignOf(db: Statements, { holderId, campaign }: Sender): Promise<Campaign | undefined> {
  const row = await db.row<Row>(
    `select ${COLUMNS} from affiliate_campaign where holder_id = $1 and name = $2`,
    [holderId, campaign],
    { name: 'referrals.campaign' },
  );
  return row && campaignIn(row);
}

/** Returns those of some campaigns that have an address for postbacks, in the order of the input. */
export async function campaignsReported<S extends Sender>(db: Statements, requests: readonly S[]): Promise<S[]> {
  const named = requests.filter(({ campaign }) => campaign !== '');
  const each = [...new Map(named.map((one) => [keyOf(one), one])).values()];
  if (each.length === 0) return [];
  const rows = await db.rows<Row>(
    `select ${COLUMNS} from affiliate_campaign
     where (holder_id, name) in (select * from unnest($1::uuid[], $2::text[])) and postback is not null`,
    [each.map(({ holderId }) => holderId), each.map(({ campaign }) => campaign)],
    { name: 'referrals.campaigns_told' },
  );
  const reported = new Set(rows.filter(isCampaignAsStored).map(({ holderId, name }) => keyOf({ holderId, campaign: name })));
  return named.filter((one) => reported.has(keyOf(one)));
}

const keyOf = ({ holderId, campaign }: Sender): string => `${holderId} ${campaign}`;

/** Returns the campaigns of an affiliate by their names. */
export async function campaignsOf(db: Statements, holderId: string): Promise<Campaign[]> {
  const rows = await db.rows<Row>(`select ${COLUMNS} from affiliate_campaign where holder_id = $1 order by name`, [holderId]);
  return rows.map(campaignIn);
}

/** Stored data of a campaign. */
type CampaignFields = Pick<Campaign, 'name' | 'split' | 'postback'>;

/**
 * Makes a campaign, or changes the friends' discount and the address of an existing one, at most once a day (UTC). `maxSplit`:
 * the affiliate's maximum for friends. Throws `campaign_taken` if it was made or changed on this day, and `validation`.
 */
export async function storeCampaign(
  tx: Tx,
  holderId: string,
  stored: CampaignFields & { readonly maxSplit: number },
): Promise<Campaign> {
  const { name, split, postback, maxSplit } = stored;
  if (split > maxSplit) throw fieldProblem('split', 'split_too_high', { max: String(maxSplit) });
  // One after another, so that they are counted.
  await tx.row(`select pg_advisory_xact_lock(hashtextextended('referrals.campaigns ' || $1, 0))`, [holderId]);
  const all = await campaignsOf(tx, holderId);
  const known = all.find((one) => one.name === name);
  if (known && known.split === split && known.postback === postback) return known;
  if (known && !isChangeable(known, tx.now)) throw new Problem('campaign_taken');
  if (!known && all.length >= MAX_CAMPAIGNS) throw fieldProblem('name', 'campaigns_too_many', { max: String(MAX_CAMPAIGNS) });
  // All columns are written, so that no value that SQL changed stays.
  const row = { holderId, name, split, postback: postback ?? null, madeAt: tx.now, changedAt: tx.now };
  await tx.run(
    `insert into affiliate_campaign (holder_id, name, split, postback, made_at, changed_at, mac) values ($1, $2, $3, $4, $5, $5, $6)
     on conflict (holder_id, name) do update set split = excluded.split, postback = excluded.postback, made_at = excluded.made_at,
       changed_at = excluded.changed_at, mac = excluded.mac`,
    [holderId, name, split, row.postback, tx.now, macOfCampaign(row)],
  );
  return { name, split, postback, changedAt: tx.now };
}

/** Deletes the campaigns of an affiliate, and the results of their links. */
export async function forgetCampaigns(tx: Tx, holderId: string): Promise<void> {
  for (const table of ['affiliate_campaign', 'affiliate_day'])
    await tx.run(`delete from ${table} where holder_id = $1`, [holderId]);
}

/** True if a campaign was neither made nor changed on this day (UTC). */
export const isChangeable = ({ changedAt }: Pick<Campaign, 'changedAt'>, now: Date): boolean => dayOf(changedAt) < dayOf(now);

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);
