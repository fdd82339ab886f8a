// Campaigns: names under which an affiliate's links are counted, each with what its friends get and where its orders are told.

import { Problem, fieldProblem } from '@kurs/contract';
import type { Statements, Tx } from '../platform/index.ts';
import { type CampaignRow, isCampaignAsKept, macOfCampaign } from './macs.ts';

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
  /** Where its orders are told; undefined: nowhere. */
  readonly postback: string | undefined;
  readonly changedAt: Date;
}

/** How many an affiliate may have. */
const MOST_CAMPAIGNS = 100;

type Row = CampaignRow & { readonly mac: string | null };
const COLUMNS = 'holder_id as "holderId", name, split, postback, made_at as "madeAt", changed_at as "changedAt", mac';
/** A campaign by its row. One whose row was changed by SQL gives friends nothing and is told nowhere. */
const campaignIn = (row: Row): Campaign => {
  const { name, split, postback, changedAt } = row;
  if (!isCampaignAsKept(row)) return { name, split: 0, postback: undefined, changedAt };
  return { name, split, postback: postback ?? undefined, changedAt };
};

/** A campaign by its name; undefined where there is none. */
export async function campaignOf(db: Statements, { holderId, campaign }: Sender): Promise<Campaign | undefined> {
  const row = await db.row<Row>(
    `select ${COLUMNS} from affiliate_campaign where holder_id = $1 and name = $2`,
    [holderId, campaign],
    { name: 'referrals.campaign' },
  );
  return row && campaignIn(row);
}

/** Those of some campaigns whose orders are told somewhere, in the order of what is asked. */
export async function campaignsTold<S extends Sender>(db: Statements, asked: readonly S[]): Promise<S[]> {
  const named = asked.filter(({ campaign }) => campaign !== '');
  const each = [...new Map(named.map((one) => [keyOf(one), one])).values()];
  if (each.length === 0) return [];
  const rows = await db.rows<Row>(
    `select ${COLUMNS} from affiliate_campaign
     where (holder_id, name) in (select * from unnest($1::uuid[], $2::text[])) and postback is not null`,
    [each.map(({ holderId }) => holderId), each.map(({ campaign }) => campaign)],
    { name: 'referrals.campaigns_told' },
  );
  const told = new Set(rows.filter(isCampaignAsKept).map(({ holderId, name }) => keyOf({ holderId, campaign: name })));
  return named.filter((one) => told.has(keyOf(one)));
}

const keyOf = ({ holderId, campaign }: Sender): string => `${holderId} ${campaign}`;

/** The campaigns of an affiliate by their names. */
export async function campaignsOf(db: Statements, holderId: string): Promise<Campaign[]> {
  const rows = await db.rows<Row>(`select ${COLUMNS} from affiliate_campaign where holder_id = $1 order by name`, [holderId]);
  return rows.map(campaignIn);
}

/** What is kept of a campaign. */
type Kept = Pick<Campaign, 'name' | 'split' | 'postback'>;

/**
 * Makes a campaign, or changes what friends get by a known one and where it is told: once on a day (UTC). `mostSplit`: what this
 * affiliate may give friends. Throws `campaign_taken` where it was made or changed on this day, and `validation`.
 */
export async function keepCampaign(tx: Tx, holderId: string, kept: Kept & { readonly mostSplit: number }): Promise<Campaign> {
  const { name, split, postback, mostSplit } = kept;
  if (split > mostSplit) throw fieldProblem('split', 'split_too_high', { most: String(mostSplit) });
  // One after another, so that they are counted.
  await tx.row(`select pg_advisory_xact_lock(hashtextextended('referrals.campaigns ' || $1, 0))`, [holderId]);
  const all = await campaignsOf(tx, holderId);
  const known = all.find((one) => one.name === name);
  if (known && known.split === split && known.postback === postback) return known;
  if (known && !isChangeable(known, tx.now)) throw new Problem('campaign_taken');
  if (!known && all.length >= MOST_CAMPAIGNS) throw fieldProblem('name', 'campaigns_too_many', { most: String(MOST_CAMPAIGNS) });
  // All that is kept of it is put now, so that nothing of a row that was changed by SQL stays.
  const row = { holderId, name, split, postback: postback ?? null, madeAt: tx.now, changedAt: tx.now };
  await tx.run(
    `insert into affiliate_campaign (holder_id, name, split, postback, made_at, changed_at, mac) values ($1, $2, $3, $4, $5, $5, $6)
     on conflict (holder_id, name) do update set split = excluded.split, postback = excluded.postback, made_at = excluded.made_at,
       changed_at = excluded.changed_at, mac = excluded.mac`,
    [holderId, name, split, row.postback, tx.now, macOfCampaign(row)],
  );
  return { name, split, postback, changedAt: tx.now };
}

/** Forgets the campaigns of an affiliate, and what their links brought. */
export async function forgetCampaigns(tx: Tx, holderId: string): Promise<void> {
  for (const table of ['affiliate_campaign', 'affiliate_day'])
    await tx.run(`delete from ${table} where holder_id = $1`, [holderId]);
}

/** Whether a campaign was neither made nor changed on this day (UTC). */
export const isChangeable = ({ changedAt }: Pick<Campaign, 'changedAt'>, now: Date): boolean => dayOf(changedAt) < dayOf(now);

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);
