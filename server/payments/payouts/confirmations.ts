// Confirmations of payments and sends, up to the needed number. They are computed when they are read, from the last known height
// of the rail's chain. So a new block rewrites no payment or send. Nothing is decided by these numbers.

import type { Statements } from '../../platform/index.ts';
import type { Owner } from '../rails/owner.ts';

/** SQL: confirmations of payment `p`. A payment that the rail doesn't show now keeps its last stored number. */
const OF_PAYIN = `case when p.missing_since is null
  then greatest(p.confirmations, least(p.needed, s.height - p.height + 1)) else p.confirmations end::int`;
const OPEN_PAYINS = `payin p join rail_state s using (rail) where p.status = 'seen' and p.height is not null`;

/**
 * Returns SQL for the confirmations of a payment. The result is null unless the payment is in a block and not final. `id`: SQL
 * expression for the payment's id.
 */
export const payinConfirmations = (id: string): string => `(select ${OF_PAYIN} from ${OPEN_PAYINS} and p.id = ${id})`;

/**
 * Returns SQL for the sum of confirmations of an owner's payments that are not final; 0 if there are none. `id`: SQL expression
 * for the owner's id.
 */
export const confirmationsTogether = (kind: Owner['kind'], id: string): string =>
  `(select coalesce(sum(${OF_PAYIN}), 0)::int from ${OPEN_PAYINS} and p.owner_id = ${id}::text and p.owner_kind = '${kind}')`;

/**
 * Returns SQL for the confirmations of a payout's send, at most `needed`. The result is null unless the send is in a block and
 * not final. `id`, `needed`: SQL expressions for the payout's id and the needed number.
 */
export const payoutConfirmations = (id: string, needed: string): string =>
  `(select least(${needed}, s.height - a.height + 1)::int
    from payout p join payment_attempt a on a.id = p.attempt_id join rail_state s on s.rail = a.rail
    where p.id = ${id} and p.status = 'sent' and a.status = 'sent' and a.height is not null and a.missing_since is null)`;

/** Returns the confirmations of an owner's payments that are in a block and not final, by payment id. */
export async function confirmationsOf(db: Statements, { kind, id }: Owner): Promise<ReadonlyMap<string, number>> {
  const rows = await db.rows<{ id: string; confirmations: number }>(
    `select p.id, ${OF_PAYIN} as confirmations from ${OPEN_PAYINS} and p.owner_id = $2 and p.owner_kind = $1`,
    [kind, id],
    { name: 'payments.confirmations_of' },
  );
  return new Map(rows.map((row) => [row.id, row.confirmations]));
}
