import { accounts, balance } from '../ledger/index.ts';
import type { Statements } from '../platform/index.ts';
import { shallowOf } from './settled/settled-rows.ts';

/**
 * Returns the part of a store's balance in a unit, in parts, that may leave the store: without payments that their chain may still
 * take back. Nothing is free while a row about them was changed by SQL. A caller that takes money locks the store's moves first
 * (`lockMoves`), so that two calls at once don't count the same money.
 */
export async function freeBalance(db: Statements, storeId: string, unit: string): Promise<bigint> {
  // The balance is read first: what is settled in the meantime counts as not deep only.
  const whole = await balance(db, accounts.merchant(storeId, unit));
  const { sums, isAltered } = await shallowOf(db, storeId);
  const free = whole - (sums.get(unit) ?? 0n);
  return isAltered || free < 0n ? 0n : free;
}
