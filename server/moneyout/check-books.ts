import { type BooksCheck, accuse, checkOfRows } from '../ledger/index.ts';
import { alteredCounts } from './counted-payouts.ts';
import { alteredBooks } from './store.ts';

/** Checks the MACs of address books, allow-lists and records of payouts without approval, so that changes by SQL are found. */
export const moneyOutCheck: BooksCheck = checkOfRows(async (db) => [
  ...accuse('counted', await alteredCounts(db), 'the count of a payout without approval was altered'),
  ...accuse('book', await alteredBooks(db), 'the allow-list or the address book was altered'),
]);
