import { type Judge, accuse, judgeOfRows } from '../ledger/index.ts';
import { alteredCustomers, alteredLevels } from './customers/customer-store.ts';
import { alteredDebts } from './customers/debts.ts';
import { wrongTotals } from './limits/hold-store.ts';

/** Checks that debts, levels and payout records were not changed by SQL, and that the held totals add up. */
export const complianceJudge: Judge = judgeOfRows(async (db) => [
  ...accuse('debt', await alteredDebts(db), 'the debt, or what its debtor is known by, is not as it was noted'),
  ...accuse('level', await alteredLevels(db), 'the level is not as people set it'),
  ...accuse('customer', await alteredCustomers(db), 'that something was paid out to the customer is not as it was noted'),
  ...accuse('hold', await wrongTotals(db), 'the total held is not the sum of what owners hold'),
]);
