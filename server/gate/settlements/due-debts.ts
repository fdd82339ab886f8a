// Repays what owners of personal stores owe from their wallets: a personal store moves its money there at once, so that its balance
// has nothing to repay from.

import { Problem } from '@kurs/contract';
import { type UnitOfWork, alone, min } from '../../collecting/index.ts';
import { accounts } from '../../ledger/index.ts';
import { type Db, log } from '../../platform/index.ts';
import { type StoreDebt, lockDebts, openDebts } from '../settled/debt-rows.ts';
import { isOfPerson } from '../stores/debtor.ts';
import { storesById } from '../stores/store-rows.ts';
import { fund } from './move-back.ts';

/**
 * Repays the debts of owners of personal stores with the money of their wallets. Returns the number of debts that were repaid, in part
 * or in full.
 */
export async function dueDebts(db: Db): Promise<number> {
  let repaid = 0;
  for (const debt of (await openDebts(db)).filter(isOfPerson)) {
    const [storeId] = debt.byStore.keys();
    const store = storeId === undefined ? undefined : (await storesById(db, [storeId])).get(storeId);
    if (!store || debt.isAltered) continue;
    try {
      const isRepaid = await alone(db, async (work) => {
        const parts = await repayable(work, debt);
        if (parts > 0n) await fund(work, store, { unit: debt.unit, parts, cause: 'debt' });
        return parts > 0n;
      });
      if (isRepaid) repaid += 1;
    } catch (error) {
      // Something else has just taken money from the wallet: the next turn tries again.
      const isShort = error instanceof Problem && error.code === 'not_enough_money';
      if (!isShort) log.alarm('the debt of a personal store could not be repaid', { storeId, error });
    }
  }
  return repaid;
}

/** Locks a debt, and returns the part of it that the wallet of its owner has. */
async function repayable(work: UnitOfWork, { party, unit }: StoreDebt): Promise<bigint> {
  const debt = (await lockDebts(work.tx, [party])).find((one) => one.unit === unit);
  return debt && !debt.isAltered ? min(debt.parts, await work.shown(accounts.wallet(party, unit))) : 0n;
}
