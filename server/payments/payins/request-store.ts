import type { ReturnPages } from '@kurs/contract';
import type { Statements, Tx } from '../../platform/index.ts';
import type { Fields, Opened } from '../../rails/rail.ts';
import type { Owner } from '../rails/owner.ts';

/** Data from which a provider prepares a payment. */
export interface PayRequest {
  /** Purpose of the payment, in words for people. */
  readonly label: string;
  /** Pages that the payer's browser returns to. */
  readonly back: ReturnPages;
  readonly locale: 'en' | 'ru';
  /** Time until which a customer waits for the payment to be prepared. */
  readonly until: Date;
  /** Fields that the payer filled in. */
  readonly payer: Fields;
}

/** Requests the preparation of a payment by its provider. A loop prepares it within a second. */
export async function insertRequest(tx: Tx, rail: string, number: string, amount: bigint, request: PayRequest): Promise<void> {
  const { label, back, locale, until, payer } = request;
  await tx.run(
    `insert into payin_request (rail, number, amount, label, back, locale, payer, until, due_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [rail, number, amount, label, JSON.stringify(back), locale, JSON.stringify(payer), until, tx.now],
    { name: 'payments.insert_request' },
  );
}

/** A payment to be prepared. */
export interface DueRequest extends PayRequest {
  readonly number: string;
  readonly currency: string;
  readonly to: string;
  readonly owner: Owner;
  readonly amount: bigint;
  readonly tries: number;
}

interface RequestRow {
  number: string;
  currency: string;
  to_text: string;
  owner_kind: Owner['kind'];
  owner_id: string;
  amount: string;
  label: string;
  back: ReturnPages;
  locale: 'en' | 'ru';
  payer: Fields;
  until: Date;
  tries: number;
}

/**
 * Claims payments of a rail that are due for preparation. The claims last `seconds`. Drops requests for payments that nobody
 * waits for any more.
 */
export async function claimRequests(db: Statements, rail: string, limit: number, seconds: number): Promise<DueRequest[]> {
  const rows = await db.rows<RequestRow>(
    `with due as (
       select number from payin_request where rail = $1 and due_at <= clock_now() order by due_at limit $2 for update skip locked
     ), claimed as (
       update payin_request set tries = tries + 1,
         due_at = case when until > (select clock_now()) then (select clock_now()) + $3 * interval '1 second' end
       where rail = $1 and number = any (array (select number from due)) returning *
     )
     select claimed.*, currency, to_text, owner_kind, owner_id from claimed join receiving_address using (rail, number)
     where until > (select clock_now())`,
    [rail, limit, seconds],
    { name: 'payments.claim_requests' },
  );
  return rows.map(({ to_text: to, owner_kind: kind, owner_id: id, amount, ...row }) => ({
    ...row,
    to,
    owner: { kind, id },
    amount: BigInt(amount),
  }));
}

/** Stores a provider's answer to a preparation. Returns false if an answer is stored already. */
export async function saveOpened(tx: Tx, rail: string, number: string, opened: Opened, retrySeconds: number): Promise<boolean> {
  const way = opened.ok ? JSON.stringify(opened.way) : null;
  const id = opened.ok ? (opened.id ?? null) : null;
  const refused = !opened.ok && opened.reason === 'refused' ? opened.detail : null;
  const changed = await tx.run(
    `update payin_request set way = $3, provider_id = $4, refused = $5,
       due_at = case when $3::jsonb is null and $5::text is null then $6::timestamptz + $7 * interval '1 second' end
     where rail = $1 and number = $2 and way is null and refused is null`,
    [rail, number, way, id, refused, tx.now, retrySeconds],
    { name: 'payments.save_opened' },
  );
  return changed > 0;
}

/** Stops waiting for an owner's payment. If a provider then requests our approval of the payment, we refuse. */
export async function dropRequests(tx: Tx, owner: Owner): Promise<void> {
  await tx.run(
    `update payin_request set until = least(until, $3) from receiving_address
     where receiving_address.rail = payin_request.rail and receiving_address.number = payin_request.number and owner_id = $2 and owner_kind = $1`,
    [owner.kind, owner.id, tx.now],
    { name: 'payments.drop_requests' },
  );
}
