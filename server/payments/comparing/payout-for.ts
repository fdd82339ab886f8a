import type { Tx } from '../../platform/index.ts';
import type { OwnPayment, Rail } from '../../rails/rail.ts';

/**
 * Returns the id of the oldest unfinished payout with the currency, amount and account of a payment; undefined if there is none.
 * `taken`: payouts that are already matched to other payments.
 */
export async function payoutFor(
  tx: Tx,
  rail: Rail,
  { currency, parts, to }: OwnPayment,
  taken: readonly string[],
): Promise<string | undefined> {
  const [field] = rail.currencies.find(({ code }) => code === currency)?.fields ?? [];
  // A voucher names no receiver, so payouts of vouchers are matched by amount alone.
  const account = rail.payin?.checkAccount(currency, field ? { [field.name]: to } : {});
  if (!account?.ok) return undefined;
  const row = await tx.row<{ id: string }>(
    `select id from payout
     where rail = $1 and currency = $2 and parts = $3 and to_key = $4 and status in ('queued', 'preparing', 'sending', 'in_doubt', 'sent')
       and id <> all ($5)
     order by created_at, id limit 1`,
    [rail.id, currency, parts, account.key, taken],
  );
  return row?.id;
}
