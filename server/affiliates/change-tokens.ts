import { entryCounts } from '../ledger/index.ts';
import type { Statements } from '../platform/index.ts';
import { availableOf, owedBy, pendingOf } from './reward.ts';

/** Number of a holder's newest rewards that the token covers: those that the page shows. */
const NEWEST = 20;

/**
 * Change tokens by holder: each differs after a reward is added, matures or changes. Two queries serve all holders; the accounts
 * reflect changes of older rewards.
 */
export async function rewardChangeTokens(db: Statements, holderIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; mark: string }>(
    `select asked.id, coalesce((select string_agg(concat_ws(' ', newest.id, state), ',' order by newest.id)
       from (select id, state from reward where holder_id = asked.id order by made_at desc, id desc limit ${NEWEST}) as newest), '') as mark
     from unnest($1::uuid[]) as asked (id)`,
    [holderIds],
    { name: 'affiliates.marks' },
  );
  const refs = rows.flatMap(({ id }) => [pendingOf(id), availableOf(id), owedBy(id)]);
  const counts = await entryCounts(db, refs);
  return new Map(rows.map(({ id, mark }, at) => [id, [mark, ...counts.slice(at * 3, at * 3 + 3)].join(' ')]));
}
