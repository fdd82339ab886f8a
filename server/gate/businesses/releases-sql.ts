import { RESERVE_DAYS } from './reversible.ts';

/**
 * SQL: the rows `release (at, parts)` of a settled payment in the reserve, as `releasesOf` gives them. `receipt`: name of the row of
 * `settled_payment`; `days` and `share`: SQL of the terms of its business. It stands behind `from` or `cross join lateral`.
 */
export const releasesSql = (receipt: string, { days, share }: { readonly days: string; readonly share: string }): string =>
  `(select case when ${days} < ${RESERVE_DAYS} then greatest(${receipt}.in_reserve - ceil(${receipt}.parts * ${share} / 100), 0)
     else 0 end as parts) as early
   cross join lateral (values (${receipt}.at + ${days} * interval '1 day', early.parts),
     (${receipt}.at + ${RESERVE_DAYS} * interval '1 day', ${receipt}.in_reserve - early.parts)) as release (at, parts)`;
