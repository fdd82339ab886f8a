import { type Statements, log } from '../platform/index.ts';
import { type ApprovedPayout, type Fields, isAsRequested } from '../rails/index.ts';

interface Row {
  readonly id: string;
  readonly rail: string;
  readonly currency: string;
  readonly to_fields: Fields;
  readonly parts: string;
  readonly status: string;
  readonly owner_kind: string;
  readonly owner_id: string;
  readonly mac: string | null;
}

/**
 * Returns payments' payouts with these ids, by id. Unknown ones are absent, and so are those that differ from the request. This
 * reads payments' table over the signer's own connection, whose role may read these columns and write nothing.
 */
export async function readPayouts(db: Statements, ids: readonly string[]): Promise<ReadonlyMap<string, ApprovedPayout>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<Row>(
    'select id, rail, currency, to_fields, parts, status, owner_kind, owner_id, mac from payout where id = any ($1::uuid[])',
    [ids],
  );
  return new Map(
    rows.flatMap(({ id, rail, currency, status, to_fields: to, parts: text, owner_kind: kind, owner_id: owner, mac }) => {
      const payout = { id, rail, currency, status, to, parts: BigInt(text) };
      if (isAsRequested({ ...payout, owner: { kind, id: owner }, mac })) return [[id, payout] as const];
      log.alarm('a payout is not what was asked for: nothing is signed for it', { rail, currency, payoutId: id });
      return [];
    }),
  );
}
