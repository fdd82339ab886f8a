import type { Statements } from '../platform/index.ts';

/**
 * Change tokens by holder: each differs after new results of their links, or a change of their terms as an affiliate. One query
 * serves all holders.
 */
export async function affiliateChangeTokens(db: Statements, holderIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; mark: string }>(
    `select asked.id, concat_ws(' ', a.share, a.max_split, a.level, a.suspended_at, a.statements, d.clicks, d.sign_ups, d.orders) as mark
     from unnest($1::uuid[]) as asked (id) left join affiliate a on a.holder_id = asked.id
     left join lateral (
       select sum(clicks) as clicks, sum(sign_ups) as sign_ups, sum(orders) as orders from affiliate_day
       where holder_id = asked.id and day >= (clock_now() at time zone 'UTC')::date - 1
     ) as d on true`,
    [holderIds],
    { name: 'referrals.marks' },
  );
  return new Map(rows.map(({ id, mark }) => [id, mark]));
}
