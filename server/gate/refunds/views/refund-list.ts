// A store's refunds in pages, by filters, and the claims that wait for a member.

import { type PageRequest, type Statements, beginOf, countSome, nextOf } from '../../../platform/index.ts';
import type { RefundState } from '../machine/refund-machine.ts';
import type { Claim, Refund } from '../machine/refund.ts';
import { claimsById } from '../rows/claim-rows.ts';
import { refundsById } from '../rows/refund-rows.ts';

export interface RefundFilter extends PageRequest {
  readonly store: string;
  readonly state?: readonly RefundState[] | undefined;
  readonly q?: string | undefined;
}

/** SQL: condition of the filter. A number of a refund or an invoice and an e-mail address are searched exactly. */
const FILTERED = `from store_refund where store_id = $1 and ($2::text[] is null or state = any ($2))
  and ($3::text is null or number = upper($3) or lower(email) = lower($3)
    or invoice_id = (select id from invoice where number = upper($3) and store_id = $1))`;

/** Returns a page of refunds, the newest first, and their number. */
export async function refundList(
  db: Statements,
  filter: RefundFilter,
): Promise<{ readonly refunds: Refund[]; readonly total: number; readonly next: string | undefined }> {
  const q = filter.q?.trim();
  const values = [filter.store, filter.state?.length ? filter.state : null, q === undefined || q === '' ? null : q];
  const { at, id, offset } = beginOf(filter);
  const rows = await db.rows<{ id: string; at: string }>(
    `select id, created_at::text as at ${FILTERED} and ($4::timestamptz is null or (created_at, id) < ($4, $5::uuid))
     order by created_at desc, id desc limit $6 offset $7`,
    [...values, at, id, filter.per_page, offset],
  );
  const counted = await db.row<{ total: number }>(countSome(`select ${FILTERED}`), values);
  const found = new Map(
    (
      await refundsById(
        db,
        rows.map((row) => row.id),
      )
    ).map((refund) => [refund.id, refund]),
  );
  const refunds = rows.flatMap((row) => found.get(row.id) ?? []);
  return { refunds, total: counted?.total ?? 0, next: nextOf(rows, filter) };
}

const MAX_WAITING = 200;

/** Returns the claims of a store that wait for a member, the oldest first. */
export async function claimsForMembers(db: Statements, storeId: string): Promise<Claim[]> {
  const rows = await db.rows<{ id: string }>(
    `select id from store_refund_claim where store_id = $1 and state = 'confirming' order by claimed_at limit $2`,
    [storeId, MAX_WAITING],
  );
  const found = await claimsById(
    db,
    rows.map(({ id }) => id),
  );
  return found.sort((a, b) => a.claimedAt.getTime() - b.claimedAt.getTime());
}
