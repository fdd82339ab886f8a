import type { Tx } from '../../platform/index.ts';

/**
 * Says that a payout will be asked for once people have let it out: what a rail can pay is less by it from now on,
 * until it is dropped, which whoever announced it does in the transaction that requests it, or ends it.
 */
export async function reserveFloat(
  tx: Tx,
  { id, currency, parts }: { readonly id: string; readonly currency: string; readonly parts: bigint },
): Promise<void> {
  await tx.run('insert into payout_asked (id, currency, parts) values ($1, $2, $3)', [id, currency, parts.toString()]);
}

/** An announced payout is requested now, or will never be. */
export async function releaseFloat(tx: Tx, id: string): Promise<void> {
  await tx.run('delete from payout_asked where id = $1', [id]);
}
