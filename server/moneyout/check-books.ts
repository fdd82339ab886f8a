import { type BooksCheck, accuse, checkOfRows } from '../ledger/index.ts';
import { alteredCounts } from './counted-payouts.ts';
import { alteredBooks } from './store.ts';

/** Checks that SQL altered no address book, no allow-list, and no record of a payout without approval. */
export const moneyOutCheck: BooksCheck = checkOfRows(async (db) => [
  ...accuse('counted', await alteredCounts(db), 'the count of a payout without approval was altered'),
  ...accuse('book', await alteredBooks(db), 'the allow-list or the address book was altered'),
]);
