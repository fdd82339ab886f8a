// Figures by which the desk watches businesses: what they settled and refunded, what was taken back, and flagged payments.

import type { Statements } from '../../platform/index.ts';

/** Days whose sums the desk watches. */
const DAYS = 30;

/** Longest time for which a refund can be claimed, in days. */
const REFUND_DAYS = 365;

/**
 * Sums of a business in 30 days, in USD cents. `refundedUsd`: claims that were paid or are being paid. `flagged`: number of payments
 * that the desk had to check.
 */
export interface BusinessFigures {
  readonly settledUsd: bigint;
  readonly refundedUsd: bigint;
  readonly reversedUsd: bigint;
  readonly flagged: number;
}

/** Returns the figures of businesses by their ids. A business without payments has zeros. */
export async function figuresOfBusinesses(db: Statements, ids: readonly string[]): Promise<Map<string, BusinessFigures>> {
  const rows = await db.rows<{ id: string; settled: string; refunded: string; reversed: string; flagged: number }>(
    `with since as (select clock_now() - ${DAYS} * interval '1 day' as at)
     select given.id,
       (select coalesce(sum(usd), 0)::text from settled_payment where business_id = given.id and at > since.at) as settled,
       (select coalesce(sum(taken_usd), 0)::text from settled_payment where business_id = given.id and taken_at > since.at) as reversed,
       (select coalesce(sum(claim.usd), 0)::text from store join store_refund refund on refund.store_id = store.id
          join store_refund_claim claim on claim.refund_id = refund.id
        where store.business_id = given.id and refund.created_at > since.at - ${REFUND_DAYS} * interval '1 day'
          and claim.claimed_at > since.at and claim.state in ('paying', 'done')) as refunded,
       (select count(distinct event.payment_id)::int from store
          join invoice_event event on event.store_id = store.id and event.kind = 'held'
        where store.business_id = given.id and event.at > since.at
          and event.data->'payment'->>'status' = 'held') as flagged
     from unnest($1::uuid[]) as given (id) cross join since`,
    [ids],
    { name: 'gate.business_figures' },
  );
  return new Map(
    rows.map(({ id, settled, refunded, reversed, flagged }) => [
      id,
      { settledUsd: BigInt(settled), refundedUsd: BigInt(refunded), reversedUsd: BigInt(reversed), flagged },
    ]),
  );
}

/** A business of which rails took back more than 1 % of what it settled in 30 days. Sums in USD cents. */
export interface Reversing {
  readonly id: string;
  readonly name: string;
  readonly settledUsd: bigint;
  readonly reversedUsd: bigint;
}

/** Returns the businesses of which rails took back more than 1 % of what they settled in 30 days. */
export async function reversingBusinesses(db: Statements): Promise<Reversing[]> {
  const rows = await db.rows<{ id: string; name: string; settled: string; reversed: string }>(
    `with since as (select clock_now() - ${DAYS} * interval '1 day' as at),
       taken as (select business_id, sum(taken_usd) as usd from settled_payment, since
         where business_id is not null and taken_at > since.at group by business_id),
       figures as (select business_id, taken.usd as reversed,
         (select coalesce(sum(usd), 0) from settled_payment
          where settled_payment.business_id = taken.business_id and at > since.at) as settled from taken, since)
     select business_id as id, legal_name as name, settled::text, reversed::text
     from figures join business on business.id = business_id where reversed * 100 > settled order by 1`,
    [],
    { name: 'gate.reversing_businesses' },
  );
  return rows.map(({ id, name, settled, reversed }) => ({
    ...{ id, name, settledUsd: BigInt(settled), reversedUsd: BigInt(reversed) },
  }));
}

/** Debt of a business in a unit, in parts. */
export interface Owing {
  readonly id: string;
  readonly name: string;
  readonly unit: string;
  readonly parts: bigint;
}

/** Returns the debts of businesses after payments were taken back, in the order of their ids. */
export async function owingBusinesses(db: Statements): Promise<Owing[]> {
  const rows = await db.rows<Omit<Owing, 'parts'> & { parts: string }>(
    `select business.id, legal_name as name, unit, parts::text from store_debt
     join business on party = 'business_' || business.id where parts > 0 order by business.id, unit`,
    [],
    { name: 'gate.owing_businesses' },
  );
  return rows.map((row) => ({ ...row, parts: BigInt(row.parts) }));
}
