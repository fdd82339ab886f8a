import { type Tx, canonicalEmail } from '../../platform/index.ts';
import { copyFinished } from '../customers/customer-store.ts';
import { lockKeys } from './keys.ts';
import { copyUses } from './limit-store.ts';
import { movePayers } from './payers.ts';
import { copyUnpaid } from './unpaid-store.ts';

/**
 * Applies a customer's change of e-mail address to the limits. Sums under the old address are copied to the new one, so that a
 * new address doesn't reset the limits. Accounts that the verified mailbox paid from stay the customer's. The level belongs to
 * the account and doesn't change.
 */
export async function moveCustomer(tx: Tx, { from, to }: { readonly from: string; readonly to: string }): Promise<void> {
  const [was, is] = [canonicalEmail(from), canonicalEmail(to)];
  if (was === is) return;
  const keys: [string, string] = [`email:${was}`, `email:${is}`];
  await lockKeys(tx, keys.toSorted());
  await copyFinished(tx, was, is);
  await copyUses(tx, ...keys);
  await copyUnpaid(tx, ...keys);
  await movePayers(tx, was, is);
}
