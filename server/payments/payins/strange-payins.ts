// Finds events about payments that our records don't confirm. An event that somebody wrote by SQL must not create money.

import type { Statements } from '../../platform/index.ts';
import type { PayinBody } from '../rails/event-bodies.ts';
import { type Arrival, isAsRecorded } from './row-macs.ts';

interface RecordedRow extends Omit<Arrival, 'owner' | 'number' | 'parts'> {
  readonly rail: string;
  readonly number: string;
  readonly kind: Arrival['owner']['kind'];
  readonly owner: string;
  readonly parts: string;
  readonly was_final: boolean;
  readonly mac: string | null;
}

/** An event about a payment, with the id of the owner that received it. */
interface ReportedPayin {
  readonly body: PayinBody;
  readonly reportedTo: string;
}

/**
 * Returns ids of payments that an event calls final, although our records don't confirm that. Either there is no record, SQL
 * altered the record, the record has another owner or a smaller amount, or the payment never was final.
 */
export async function strangePayins(db: Statements, reported: readonly ReportedPayin[]): Promise<ReadonlySet<string>> {
  const final = reported.filter(({ body }) => body.event === 'final');
  if (final.length === 0) return new Set();
  const rows = await db.rows<RecordedRow>(
    `select id, rail, key, number, owner_kind as kind, owner_id as owner, currency, unit, place, parts, txid, mac,
       status in ('final', 'reversed') or is_back as was_final
     from payin where id = any ($1)`,
    [final.map(({ body }) => body.payinId)],
    { name: 'payments.told' },
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Set(final.filter((one) => !isRecorded(one, byId.get(one.body.payinId))).map(({ body }) => body.payinId));
}

function isRecorded({ body, reportedTo }: ReportedPayin, row: RecordedRow | undefined): boolean {
  const { owner, currency, unit, place, parts } = body;
  if (!row?.was_final || row.kind !== owner.kind || row.owner !== owner.id || row.owner !== reportedTo) return false;
  if (row.currency !== currency || row.unit !== unit || row.place !== place) return false;
  if (BigInt(parts) > BigInt(row.parts)) return false;
  const arrival = { ...row, owner, number: Number.parseInt(row.number, 10), parts: BigInt(row.parts) };
  return isAsRecorded(row.rail, arrival, row.mac);
}
