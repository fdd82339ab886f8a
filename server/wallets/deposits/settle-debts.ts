// Settles debts for deposits that were taken back after they were spent. Any money that comes into the wallet later settles
// these debts first: deposits, transfers, orders or returned withdrawals. Until then, no money of that unit can leave.

import { type UnitOfWork, JournalRefused, together } from '../../collecting/index.ts';
import { type AccountRef, accounts, balances } from '../../ledger/index.ts';
import { type Db, newId } from '../../platform/index.ts';
import { settle } from './deposit.ts';
import { queueDepositLetter } from './deposit-letters.ts';
import { type Debt, debtsAfter, depositsById, saveDeposits } from '../store.ts';

const GROUP = 500;

/**
 * Settles debts with the available money of their wallets, oldest deposits first, and returns the number of settled debts.
 * `name`: the product's name, for letters.
 */
export async function settleDebts(db: Db, name: string): Promise<number> {
  let settled = 0;
  let behind: string | undefined;
  for (;;) {
    const debts = await debtsAfter(db, behind, GROUP);
    const there = await balances(db, debts.map(walletOf));
    const open = debts.filter((_, at) => (there[at] ?? 0n) > 0n);
    settled += countOf(
      await together(
        db,
        open.map(
          ({ payinId }) =>
            (unit: UnitOfWork) =>
              settleOne(unit, name, payinId),
        ),
      ),
    );
    behind = debts.at(-1)?.payinId;
    if (debts.length < GROUP) return settled;
  }
}

const walletOf = ({ holderId, unit }: Debt): AccountRef => accounts.wallet(holderId, unit);

/**
 * Returns the number of settled debts. A settlement that the ledger refused is retried at the next run; any other error is
 * thrown.
 */
function countOf(outcomes: readonly PromiseSettledResult<boolean>[]): number {
  const failed = outcomes.find((one) => one.status === 'rejected' && !(one.reason instanceof JournalRefused));
  if (failed?.status === 'rejected') throw failed.reason;
  return outcomes.filter((one) => one.status === 'fulfilled' && one.value).length;
}

async function settleOne(unit: UnitOfWork, name: string, payinId: string): Promise<boolean> {
  const { tx } = unit;
  const one = (await depositsById(tx, [payinId])).get(payinId);
  if (!one) return false;
  const { deposit, journal } = settle(one, await unit.shown(walletOf(one)), newId());
  if (!journal) return false;
  await saveDeposits(tx, [deposit]);
  await queueDepositLetter(tx, name, deposit, { kind: 'settled', parts: one.owed - deposit.owed });
  unit.post(journal);
  return true;
}
