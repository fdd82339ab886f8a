import type { Tx } from '../../platform/index.ts';

/**
 * Reserves rail float for a payout that awaits approval. The caller releases it in the transaction that requests the payout
 * or ends it.
 */
export async function reserveFloat(
  tx: Tx,
  { id, currency, parts }: { readonly id: string; readonly currency: string; readonly parts: bigint },
): Promise<void> {
  await tx.run('insert into payout_asked (id, currency, parts) values ($1, $2, $3)', [id, currency, parts.toString()]);
}

/** Releases what `reserveFloat` reserved: the payout is requested now, or never will be. */
export async function releaseFloat(tx: Tx, id: string): Promise<void> {
  await tx.run('delete from payout_asked where id = $1', [id]);
}
