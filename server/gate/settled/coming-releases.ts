// Sums that come from a store's reserve to its balance, by day.

import type { Statements } from '../../platform/index.ts';
import { shownBounds } from '../businesses/open-bounds.ts';
import { releasesSql } from '../businesses/releases-sql.ts';
import type { Store } from '../stores/store.ts';

/** A sum that leaves the reserve. `day`: in the store's time zone, as `2026-11-20`; undefined once that day is past. */
export interface ComingRelease {
  readonly day: string | undefined;
  readonly unit: string;
  readonly parts: bigint;
}

/**
 * Returns the sums of a store's reserve by the day and the unit, the earliest first: those that `releasesOf` gives for each payment
 * by the terms of the business.
 */
export async function comingReleases(
  db: Statements,
  { id, timezone, businessId }: Pick<Store, 'id' | 'timezone' | 'businessId'>,
): Promise<ComingRelease[]> {
  if (businessId === undefined) return [];
  const { releaseDays, lastShare } = await shownBounds(db, businessId);
  const rows = await db.rows<{ day: string | null; unit: string; parts: string }>(
    `select case when release.at > clock_now() then to_char(release.at at time zone $2, 'YYYY-MM-DD') end as day, unit,
       sum(release.parts)::text as parts
     from settled_payment s cross join lateral ${releasesSql('s', { days: '$3::int', share: '$4::int' })}
     where store_id = $1 and in_reserve > 0 and release.parts > 0 group by 1, 2 order by 1 nulls first, 2`,
    [id, timezone, releaseDays, lastShare],
    { name: 'gate.coming_releases' },
  );
  return rows.map(({ day, unit, parts }) => ({ day: day ?? undefined, unit, parts: BigInt(parts) }));
}
