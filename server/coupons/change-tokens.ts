import type { Statements } from '../platform/index.ts';

/** An owner of coupons: an account holder; `emailKey`: set if they have proven its mailbox. */
interface Owner {
  readonly id: string;
  readonly emailKey: string | undefined;
}

/**
 * Change tokens by owner: each differs after a coupon of theirs, or their credit, is added or changes. For coupons that others
 * use too, only the state counts. One query serves all owners.
 */
export async function couponChangeTokens(db: Statements, owners: readonly Owner[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; mark: string }>(
    `select asked.id, coalesce((
       select md5(string_agg(concat_ws(' ', c.id, state, is_off, case when coalesce(email_key, holder_id::text) is not null then budget - held end), ',' order by c.id))
       from coupon c where c.id in (
         select coupon_id from coupon_kept where holder_id = asked.id
         union select id from coupon where holder_id = asked.id
         union select id from coupon where email_key = asked.email_key
       )), '') as mark
     from unnest($1::uuid[], $2::text[]) as asked (id, email_key)`,
    [owners.map(({ id }) => id), owners.map(({ emailKey }) => emailKey ?? null)],
    { name: 'coupons.marks' },
  );
  return new Map(rows.map(({ id, mark }) => [id, mark]));
}
