import type { Referrer } from '../auth/index.ts';
import type { Tx } from '../platform/index.ts';
import { forgetTypedBinding } from './binding.ts';
import { senderOfHolder } from './reference.ts';
import { countDays } from './statistics.ts';

/**
 * Somebody has opened an account: it counts for whose reference the sign-up came with. What was bound by typing the address ends.
 */
export async function countSignUp(
  tx: Tx,
  { email, by }: { readonly email: string; readonly by: Referrer | undefined },
): Promise<void> {
  await forgetTypedBinding(tx, email);
  if (by) await countDays(tx, [{ ...(await senderOfHolder(tx, by.id, by.campaign)), at: tx.now, signUps: 1 }]);
}
