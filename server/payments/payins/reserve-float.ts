import type { Tx } from '../../platform/index.ts';

/**
 * Reserves money of a currency for a payout that awaits approval, so that the money is promised to nobody else. The caller
 * releases the reservation when it requests the payout, or when the payout won't be made.
 */
export async function reserveFloat(
  tx: Tx,
  { id, currency, parts }: { readonly id: string; readonly currency: string; readonly parts: bigint },
): Promise<void> {
  await tx.run('insert into payout_asked (id, currency, parts) values ($1, $2, $3)', [id, currency, parts.toString()]);
}

/** Releases the money that `reserveFloat` reserved, because the payout is requested now or will never be made. */
export async function releaseFloat(tx: Tx, id: string): Promise<void> {
  await tx.run('delete from payout_asked where id = $1', [id]);
}
