// A store's refunds in pages, by filters, and the claims that wait for a member.

import { type PageRequest, type Statements, beginOf, countSome, nextOf } from '../../../platform/index.ts';
import type { RefundState } from '../machine/refund-machine.ts';
import type { Claim, Refund } from '../machine/refund.ts';
import { claimsById } from '../rows/claim-rows.ts';
import { refundsById } from '../rows/refund-rows.ts';

export interface RefundFilter {
  readonly store: string;
  readonly state?: readonly RefundState[] | undefined;
  readonly q?: string | undefined;
}

/** SQL: condition of the filter. A number of a refund or an invoice and an e-mail address are searched exactly. */
const FILTERED = `from store_refund where store_id = $1 and ($2::text[] is null or state = any ($2))
  and ($3::text is null or number = upper($3) or lower(email) = lower($3)
    or invoice_id = (select id from invoice where number = upper($3) and store_id = $1))`;

const valuesOf = ({ store, state, q = '' }: RefundFilter): readonly unknown[] => [
  ...[store, state?.length ? state : null],
  q.trim() === '' ? null : q.trim(),
];

/** Place in the list behind which rows are read; null for its beginning. */
interface Place {
  readonly at: string | null;
  readonly id: string | null;
}

/** Returns the places of the refunds behind a place. */
const listed = (
  db: Statements,
  filter: RefundFilter,
  { at, id, size, offset = 0 }: Place & { readonly size: number; readonly offset?: number },
): Promise<{ id: string; at: string }[]> =>
  db.rows<{ id: string; at: string }>(
    `select id, created_at::text as at ${FILTERED} and ($4::timestamptz is null or (created_at, id) < ($4, $5::uuid))
     order by created_at desc, id desc limit $6 offset $7`,
    [...valuesOf(filter), at, id, size, offset],
  );

/** Returns the refunds of rows, in their order. */
async function inOrderOf(db: Statements, rows: readonly { readonly id: string }[]): Promise<Refund[]> {
  const ids = rows.map(({ id }) => id);
  const found = new Map((await refundsById(db, ids)).map((refund) => [refund.id, refund]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Returns a page of refunds, the newest first, and their number. */
export async function refundList(
  db: Statements,
  filter: RefundFilter & PageRequest,
): Promise<{ readonly refunds: Refund[]; readonly total: number; readonly next: string | undefined }> {
  const rows = await listed(db, filter, { ...beginOf(filter), size: filter.per_page });
  const counted = await db.row<{ total: number }>(countSome(`select ${FILTERED}`), valuesOf(filter));
  return { refunds: await inOrderOf(db, rows), total: counted?.total ?? 0, next: nextOf(rows, filter) };
}

/** Yields all refunds that match a filter in groups of `size`, the newest first. */
export async function* allRefunds(db: Statements, filter: RefundFilter, size: number): AsyncGenerator<Refund[]> {
  let place: Place = { at: null, id: null };
  for (;;) {
    const rows = await listed(db, filter, { ...place, size });
    if (rows.length > 0) yield await inOrderOf(db, rows);
    const last = rows.at(-1);
    if (!last || rows.length < size) return;
    place = last;
  }
}

const WAITING = `from store_refund_claim where store_id = $1 and state = 'confirming'`;

/** Returns a page of the claims of a store that wait for a member, the oldest first, and their number. */
export async function claimsForMembers(
  db: Statements,
  filter: { readonly store: string } & PageRequest,
): Promise<{ readonly claims: Claim[]; readonly total: number; readonly next: string | undefined }> {
  const { at, id, offset } = beginOf(filter);
  const rows = await db.rows<{ id: string; at: string }>(
    `select id, claimed_at::text as at ${WAITING} and ($2::timestamptz is null or (claimed_at, id) > ($2, $3::uuid))
     order by claimed_at, id limit $4 offset $5`,
    [filter.store, at, id, filter.per_page, offset],
  );
  const counted = await db.row<{ total: number }>(countSome(`select ${WAITING}`), [filter.store]);
  const ids = rows.map((row) => row.id);
  const found = new Map((await claimsById(db, ids)).map((claim) => [claim.id, claim]));
  return { claims: ids.flatMap((one) => found.get(one) ?? []), total: counted?.total ?? 0, next: nextOf(rows, filter) };
}
