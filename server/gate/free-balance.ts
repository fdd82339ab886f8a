import { accounts, balance } from '../ledger/index.ts';
import type { Tx } from '../platform/index.ts';

/**
 * Returns the part of a store's balance in a unit, in parts, that may leave the store. The caller has locked the store, so that two
 * calls at once don't count the same money.
 */
export const freeBalance = (tx: Tx, storeId: string, unit: string): Promise<bigint> =>
  balance(tx, accounts.merchant(storeId, unit));
