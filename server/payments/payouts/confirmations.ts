// How many confirmations payments and sends have, reckoned as they are read: by the height of their rail's chain as it was last
// heard, and no more than are asked of them. So a block rewrites no row of them, and nothing is decided by what is shown.

import type { Statements } from '../../platform/index.ts';
import type { Owner } from '../rails/owner.ts';

/** One that isn't shown just now keeps what it had. */
const OF_PAYIN = `case when p.missing_since is null
  then greatest(p.confirmations, least(p.needed, s.height - p.height + 1)) else p.confirmations end::int`;
const OPEN_PAYINS = `payin p join rail_state s using (rail) where p.status = 'seen' and p.height is not null`;

/** SQL for the confirmations of the payment under an id (an SQL expression); null unless it lies in a block and is not final. */
export const payinConfirmations = (id: string): string => `(select ${OF_PAYIN} from ${OPEN_PAYINS} and p.id = ${id})`;

/** SQL for those of all payments of an owner (its kind, and an SQL expression for its id) that are not final; 0 without any. */
export const confirmationsTogether = (kind: Owner['kind'], id: string): string =>
  `(select coalesce(sum(${OF_PAYIN}), 0)::int from ${OPEN_PAYINS} and p.owner_id = ${id}::text and p.owner_kind = '${kind}')`;

/**
 * SQL for the confirmations of what was sent for the payout under an id, up to those that it needs (SQL expressions); null
 * unless it lies in a block and is not final.
 */
export const payoutConfirmations = (id: string, needed: string): string =>
  `(select least(${needed}, s.height - a.height + 1)::int
    from payout p join payment_attempt a on a.id = p.attempt_id join rail_state s on s.rail = a.rail
    where p.id = ${id} and p.status = 'sent' and a.status = 'sent' and a.height is not null and a.missing_since is null)`;

/** The confirmations of an owner's payments that lie in a block and are not final, by the payments' ids. */
export async function confirmationsOf(db: Statements, { kind, id }: Owner): Promise<ReadonlyMap<string, number>> {
  const rows = await db.rows<{ id: string; confirmations: number }>(
    `select p.id, ${OF_PAYIN} as confirmations from ${OPEN_PAYINS} and p.owner_id = $2 and p.owner_kind = $1`,
    [kind, id],
    { name: 'payments.confirmations_of' },
  );
  return new Map(rows.map((row) => [row.id, row.confirmations]));
}
