import { type BooksCheck, accuse, checkOfRows } from '../ledger/index.ts';
import { alteredCustomers, alteredLevels } from './customers/customer-store.ts';
import { alteredDebts } from './customers/debts.ts';
import { wrongTotals } from './limits/hold-store.ts';

/**
 * Checks that debts, levels and payout records were not changed by SQL. Also checks the totals of the money that is set aside
 * for orders and deposits that are not paid yet.
 */
export const complianceCheck: BooksCheck = checkOfRows(async (db) => [
  ...accuse('debt', await alteredDebts(db), 'the debt or a key of its debtor was altered'),
  ...accuse('level', await alteredLevels(db), 'the level was altered'),
  ...accuse('customer', await alteredCustomers(db), 'the record of a payout to the customer was altered'),
  ...accuse('hold', await wrongTotals(db), 'the held total is not the sum of the holds'),
]);
