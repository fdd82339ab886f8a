import type { Statements } from '../platform/index.ts';
import type { ApprovedPayout, Fields } from '../rails/index.ts';

interface Row {
  readonly id: string;
  readonly rail: string;
  readonly currency: string;
  readonly to_fields: Fields;
  readonly parts: string;
  readonly status: string;
}

/**
 * The payouts of payments with these ids, by id; unknown ones are absent. This reads payments' table over the signer's
 * own connection, whose role may read these columns and write nothing.
 */
export async function readPayouts(db: Statements, ids: readonly string[]): Promise<ReadonlyMap<string, ApprovedPayout>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<Row>('select id, rail, currency, to_fields, parts, status from payout where id = any ($1::uuid[])', [
    ids,
  ]);
  return new Map(rows.map(({ to_fields: to, parts, ...row }) => [row.id, { ...row, to, parts: BigInt(parts) }]));
}
