import type { Referrer } from '../auth/index.ts';
import type { Tx } from '../platform/index.ts';
import { senderOfHolder } from './reference.ts';
import { countDays } from './statistics.ts';

/** Somebody has opened an account: it counts for who sent them. */
export async function countSignUp(tx: Tx, { by }: { readonly by: Referrer | undefined }): Promise<void> {
  if (by) await countDays(tx, [{ ...(await senderOfHolder(tx, by.id, by.campaign)), at: tx.now, signUps: 1 }]);
}
