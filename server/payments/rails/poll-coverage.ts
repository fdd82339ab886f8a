import { type Statements, type Tx, outbox } from '../../platform/index.ts';
import { PAYIN_EVENT, PAYOUT_EVENT, type PayinBody, type PayoutBody } from './event-bodies.ts';
import type { PayoutObstacle } from './gates.ts';
import type { Owner } from './owner.ts';
import { isChain } from './registry.ts';

/**
 * True if these payments' receiving addresses were polled since a moment, so that every payment taken back by then is known. An
 * address that wasn't is made due now, and the caller tries again. While the rail is down it stays so.
 */
export async function polledSince(tx: Tx, payins: readonly string[], moment: Date): Promise<boolean> {
  const stale = await tx.run(
    `update receiving_address set due_at = least(due_at, $3), is_requested = true
     where (rail, number) in (select rail, number from payin where id = any ($1::uuid[]))
       and (polled_at is null or polled_at < $2)`,
    [payins, moment, tx.now],
    { name: 'payments.looked_since' },
  );
  return stale === 0;
}

/** A debt about to arise: of a pay-in that was taken back wholly or in part, or of a payout that was found late. */
interface UndeliveredDebt {
  readonly id: string;
  readonly customer: string;
}

/**
 * Returns pay-ins taken back and payouts found late whose owners were not notified yet: the owners still count on that money. A
 * payout of a wallet names no customer and is left out.
 */
export async function undeliveredDebts(db: Statements): Promise<readonly UndeliveredDebt[]> {
  const undelivered = await outbox.undeliveredHolding(db, {
    [PAYIN_EVENT]: { event: 'reversed' },
    [PAYOUT_EVENT]: { event: 'found_late' },
  });
  const [takenBack, found] = [undelivered(PAYIN_EVENT) as PayinBody[], undelivered(PAYOUT_EVENT) as PayoutBody[]];
  if (takenBack.length === 0 && found.length === 0) return [];
  return db.rows<UndeliveredDebt>(
    `select id, customer from payin where id = any ($1::uuid[])
     union all select id, customer from payout where id = any ($2::uuid[]) and customer is not null`,
    [takenBack.map(({ payinId }) => payinId), found.map(({ intentId }) => intentId)],
    { name: 'payments.untold_debts' },
  );
}

/** Reason for which a payout that rests on such a pay-in waits: its owner decides anew after being notified. */
export const TAKEN_BACK = {
  reason: 'a payment was taken back, and its owner is not notified yet',
  mayWait: true,
} as const satisfies PayoutObstacle;

/**
 * Returns the accounts that sent each payment, as `<currency>:<name of the account>`. Only accounts at providers belong to one
 * person: a chain address may serve many people, so payments on chains have none.
 */
export async function payersOf(db: Statements, payins: readonly string[]): Promise<Map<string, string[]>> {
  if (payins.length === 0) return new Map();
  const rows = await db.rows<{ id: string; currency: string; senders: string[] }>(
    'select id, currency, senders from payin where id = any ($1::uuid[])',
    [payins],
    { name: 'payments.payers_of' },
  );
  return new Map(
    rows.map(({ id, currency, senders }) => [id, isChain(currency) ? [] : senders.map((sender) => `${currency}:${sender}`)]),
  );
}

/**
 * Returns owners whose payments were not polled far enough. `unlooked`: a receiving address was not polled completely since the
 * given moment, on a chain as high as any seen. The address is made due now, and the caller tries again. `missing`: the rail
 * doesn't show a payment that is not final, and nothing proves that it is gone.
 */
export async function pollsBehind(
  tx: Tx,
  requests: readonly { readonly owner: Owner; readonly since: Date }[],
): Promise<ReadonlyMap<string, 'unlooked' | 'missing'>> {
  if (requests.length === 0) return new Map();
  const rows = await tx.rows<{ id: string; why: 'unlooked' | 'missing' }>(
    `with given as (
       select * from unnest($1::text[], $2::text[], $3::timestamptz[]) as given (kind, id, since)
     ), stale as (
       select p.rail, p.number, p.owner_id as id from given a join receiving_address p on p.owner_id = a.id and p.owner_kind = a.kind
       where p.polled_at is null or p.polled_at < a.since
     ), free as (
       select rail, number from receiving_address where (rail, number) in (select rail, number from stale)
       order by rail, number for update skip locked
     ), called as (
       update receiving_address set due_at = least(receiving_address.due_at, $4), is_requested = true from free
       where receiving_address.rail = free.rail and receiving_address.number = free.number
     )
     select id, 'unlooked' as why from stale
     union all
     select a.id, 'missing' from given a join payin y on y.owner_id = a.id and y.owner_kind = a.kind
     where y.status = 'seen' and y.missing_since is not null`,
    [requests.map(({ owner }) => owner.kind), requests.map(({ owner }) => owner.id), requests.map(({ since }) => since), tx.now],
    { name: 'payments.looks_behind' },
  );
  // `missing` wins if both hold: it has no end in sight.
  return new Map(rows.toSorted((a, b) => (a.why < b.why ? 1 : -1)).map(({ id, why }) => [id, why]));
}
