import type { Statements } from '../../../platform/index.ts';
import type { PayoutStatus } from '../machine/payout-machine.ts';

/**
 * Returns SQL for a column of a payout, for owners that show it beside their own status. `id`: SQL expression for the payout's
 * id.
 */
export const payoutColumn = (column: 'status' | 'status_at', id: string): string =>
  `(select p.${column} from payout p where p.id = ${id})`;

/** Returns the status of payouts and the time when it began, by payout id, for owners that show them. */
export async function payoutStatuses(
  db: Statements,
  ids: readonly string[],
): Promise<Map<string, { readonly status: PayoutStatus; readonly at: Date }>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<{ id: string; status: PayoutStatus; at: Date }>(
    'select id, status, status_at as at from payout where id = any ($1)',
    [ids],
    { name: 'payments.payout_statuses' },
  );
  return new Map(rows.map(({ id, ...status }) => [id, status]));
}

/** SQL: the currency of each payout, as `(id, currency)`. */
export const PAYOUT_CURRENCIES = 'select id, currency from payout';
