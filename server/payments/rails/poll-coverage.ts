import { type Statements, type Tx, outbox } from '../../platform/index.ts';
import { PAYIN_EVENT, PAYOUT_EVENT, type PayinBody, type PayoutBody } from './event-bodies.ts';
import type { PayoutObstacle } from './gates.ts';
import type { Owner } from './owner.ts';
import { isChain } from './registry.ts';

/**
 * True if the receiving addresses of all these payments were polled since a moment. Then we know every payment that was taken
 * back by that moment. Makes the addresses that were not polled due at once, so that the caller can try again. While the rail is
 * down, the result stays false.
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

/**
 * A debt that is about to arise. Its cause is a pay-in that was taken back, or a payout that was found late. `id`: id of that
 * pay-in or payout.
 */
interface UndeliveredDebt {
  readonly id: string;
  readonly customer: string;
}

/**
 * Returns taken-back pay-ins and payouts found late whose owners were not notified yet. These owners still count on the money.
 * Leaves out payouts that name no customer, such as those of wallets.
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

/**
 * Reason for which a payout waits if it depends on a pay-in that was taken back. Once the payout's owner is notified, it decides
 * again.
 */
export const TAKEN_BACK = {
  reason: 'a payment was taken back, and its owner is not notified yet',
  mayWait: true,
} as const satisfies PayoutObstacle;

/**
 * Returns the accounts that sent each payment, as `<currency>:<name of the account>`, by payment id. The list is empty for
 * payments on chains, because a chain address may serve many people. An account at a provider belongs to one person.
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
 * Returns owners whose payments are not known for sure as of `since`, with the reason. `unlooked`: one of the owner's addresses
 * was not completely polled after `since`, or only at a lower height of the chain than the highest one known. Such an address is
 * made due at once, so that the caller can try again. `missing`: the rail doesn't show an unfinished payment, and nothing proves that the payment is
 * gone.
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
  // If both reasons hold, `missing` is returned, because it may last longer.
  return new Map(rows.toSorted((a, b) => (a.why < b.why ? 1 : -1)).map(({ id, why }) => [id, why]));
}
