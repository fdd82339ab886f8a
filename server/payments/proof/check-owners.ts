// Payments and payouts of owners as the payments room has recorded them, for checks of the owners' rows.

import { type Statements, outbox } from '../../platform/index.ts';
import { isAsRequested } from '../../rails/index.ts';
import type { Fields } from '../../rails/rail.ts';
import { PAYIN_EVENT, PAYOUT_EVENT, type PayinBody, type PayoutBody } from '../rails/event-bodies.ts';
import type { Owner } from '../rails/owner.ts';

/** A payment as recorded by the payments room. */
export interface CameIn {
  readonly id: string;
  readonly owner: string;
  readonly currency: string;
  /** Whole amount of the payment. */
  readonly parts: bigint;
  /** Amount that is credited now: 0 until the payment is final, then the whole amount less the part taken back. */
  readonly counts: bigint;
}

/** A payout as recorded by the payments room. */
export interface SentOut {
  readonly id: string;
  readonly owner: string;
  readonly purpose: string;
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
  readonly to: Fields;
  readonly txid: string | undefined;
  /**
   * State of the payout's money. `out`: it left and didn't come back · `back`: it left and came back · `in`: no part of it is
   * known to have left.
   */
  readonly is: 'out' | 'back' | 'in';
  readonly isAltered: boolean;
}

/** Payments and payouts of some owners. */
interface Crossings {
  readonly payins: readonly CameIn[];
  readonly payouts: readonly SentOut[];
}

interface PayinRow extends Omit<CameIn, 'parts' | 'counts'> {
  readonly parts: string;
  readonly counts: string;
}

interface PayoutRow extends Omit<SentOut, 'parts' | 'is' | 'isAltered' | 'txid'> {
  readonly kind: Owner['kind'];
  readonly parts: string;
  readonly status: string;
  readonly txid: string | null;
  readonly mac: string | null;
}

const PAYOUTS = `select id, owner_kind as kind, owner_id as owner, purpose, currency, unit, parts, to_fields as "to", status, txid, mac
  from payout`;
const LEFT: ReadonlySet<string> = new Set(['sent', 'final']);

function sentOutOf({ kind, status, txid, mac, ...row }: PayoutRow): SentOut {
  const parts = BigInt(row.parts);
  const isAltered = !isAsRequested({ ...row, parts, owner: { kind, id: row.owner }, mac });
  const is = LEFT.has(status) ? 'out' : status === 'failed' && txid !== null ? 'back' : 'in';
  return { ...row, parts, txid: txid ?? undefined, is, isAltered };
}

/**
 * Returns the payments to the given owners. Also returns the payouts for these owners or with the given intents, even if such a
 * payout's row names another owner.
 */
export async function crossingsOf(
  db: Statements,
  kind: Owner['kind'],
  { owners, intents }: { readonly owners: readonly string[]; readonly intents: readonly string[] },
): Promise<Crossings> {
  const payins = await db.rows<PayinRow>(
    `select id, owner_id as owner, currency, parts, case status when 'final' then parts - taken else 0 end as counts
     from payin where owner_id = any ($1) and owner_kind = $2`,
    [owners, kind],
  );
  const payouts = await db.rows<PayoutRow>(`${PAYOUTS} where owner_id = any ($1) and owner_kind = $2 or id = any ($3)`, [
    owners,
    kind,
    intents,
  ]);
  return {
    payins: payins.map(({ parts, counts, ...row }) => ({ ...row, parts: BigInt(parts), counts: BigInt(counts) })),
    payouts: payouts.map(sentOutOf),
  };
}

/** Returns refunds to owners of a kind that were sent and didn't come back. With `ids`, only payouts among them. */
export async function givenBackBy(db: Statements, kind: Owner['kind'], ids?: readonly string[]): Promise<SentOut[]> {
  const rows = await db.rows<PayoutRow>(
    `${PAYOUTS} where ($2::uuid[] is null or id = any ($2)) and owner_kind = $1 and purpose = 'refund' and status in ('sent', 'final')`,
    [kind, ids ?? null],
  );
  return rows.map(sentOutOf);
}

/** Returns owners of a kind that have undelivered events, so that their rows are out of date. */
export async function undeliveredOwners(db: Statements, kind: Owner['kind']): Promise<Set<string>> {
  const events = [
    ...(await outbox.undeliveredBodies(db, PAYIN_EVENT)),
    ...(await outbox.undeliveredBodies(db, PAYOUT_EVENT)),
  ] as (PayinBody | PayoutBody)[];
  return new Set(events.flatMap(({ owner }) => (owner.kind === kind ? [owner.id] : [])));
}

/** Returns undelivered payout events for owners of a kind, oldest first. */
export async function undeliveredPayouts(db: Statements, kind: Owner['kind']): Promise<PayoutBody[]> {
  const bodies = (await outbox.undeliveredBodies(db, PAYOUT_EVENT)) as PayoutBody[];
  return bodies.filter(({ owner }) => owner.kind === kind);
}

/** Returns payouts for owners of a kind that were requested within the last day and did not fail: owner ids by payout id. */
export async function payoutsOfDay(db: Statements, kind: Owner['kind']): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows<{ id: string; owner: string }>(
    `select id, owner_id as owner from payout where owner_kind = $1 and status_at > clock_now() - interval '1 day'
       and created_at > clock_now() - interval '1 day' and status in ('queued', 'preparing', 'sending', 'in_doubt', 'sent', 'final')`,
    [kind],
  );
  return new Map(rows.map(({ id, owner }) => [id, owner]));
}
