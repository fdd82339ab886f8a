import { accounts, balances } from '../ledger/index.ts';
import type { Statements } from '../platform/index.ts';
import { depositsOf, unitsOf } from './store.ts';
import { hasOpenWithdrawal } from './withdrawal-store.ts';

/** What a holder still has with us, or owes us; undefined for nothing. Money that is on its way in counts. */
export async function leftInWallets(db: Statements, holderId: string): Promise<'money' | 'withdrawal' | undefined> {
  if (await hasOpenWithdrawal(db, holderId)) return 'withdrawal';
  const units = await unitsOf(db, holderId);
  const refs = units.flatMap((unit) => [
    accounts.wallet(holderId, unit),
    accounts.walletHeld(holderId, unit),
    accounts.walletUncleared(holderId, unit),
    accounts.receivable(holderId, unit),
  ]);
  if ((await balances(db, refs)).some((parts) => parts !== 0n)) return 'money';
  return (await depositsOf(db, holderId, { pending: true, limit: 1 })).length > 0 ? 'money' : undefined;
}
