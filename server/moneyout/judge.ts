import { type Judge, accuse, judgeOfRows } from '../ledger/index.ts';
import { alteredCounts } from './counted-payouts.ts';
import { alteredBooks } from './store.ts';

/** Checks that counts, address books and allow-lists were not changed by SQL. */
export const moneyOutJudge: Judge = judgeOfRows(async (db) => [
  ...accuse('counted', await alteredCounts(db), 'what left by itself is not as it was counted'),
  ...accuse('book', await alteredBooks(db), 'the allow-list or the address book is not as its holder set it'),
]);
