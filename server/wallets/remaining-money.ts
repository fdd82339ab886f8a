import { accounts, balances } from '../ledger/index.ts';
import { currencies, voucherStates, payKindOf } from '../payments/index.ts';
import type { Statements } from '../platform/index.ts';
import { depositsOf, unitsOf } from './store.ts';
import { hasOpenWithdrawal, withdrawnAs } from './withdrawals/withdrawal-store.ts';

/**
 * Returns `money` if a holder has or owes money in a wallet, incoming payments included. Returns `withdrawal` if a withdrawal is
 * open, or if nobody has seen a bought voucher. Undefined if neither applies.
 */
export async function remainingInWallets(db: Statements, holderId: string): Promise<'money' | 'withdrawal' | undefined> {
  if (await hasOpenWithdrawal(db, holderId)) return 'withdrawal';
  if (await hasUnseenVoucher(db, holderId)) return 'withdrawal';
  const units = await unitsOf(db, holderId);
  const refs = units.flatMap((unit) => [
    accounts.wallet(holderId, unit),
    accounts.walletHeld(holderId, unit),
    accounts.walletUncleared(holderId, unit),
    accounts.receivable(holderId, unit),
  ]);
  if ((await balances(db, refs)).some((parts) => parts !== 0n)) return 'money';
  return (await depositsOf(db, holderId, { isPending: true, limit: 1 })).length > 0 ? 'money' : undefined;
}

async function hasUnseenVoucher(db: Statements, holderId: string): Promise<boolean> {
  const codes = currencies().map(({ code }) => code);
  const made = await withdrawnAs(
    db,
    holderId,
    codes.filter((code) => payKindOf(code) === 'voucher'),
  );
  return [...(await voucherStates(db, made)).values()].includes('unseen');
}
