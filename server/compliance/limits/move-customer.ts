import { type Tx, canonicalEmail } from '../../platform/index.ts';
import { copyFinished } from '../customers/customer-store.ts';
import { lockKeys } from './keys.ts';
import { copyUses } from './limit-store.ts';
import { movePayers } from './payers.ts';
import { copyUnpaid } from './unpaid-store.ts';

/**
 * Takes what is known of a customer along to another address. What counts under the old address counts under the new one, too, so
 * that nobody begins anew by another address. Accounts that the mailbox is shown to have paid from stay the customer's. The level
 * belongs to the account and stays where it is.
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
