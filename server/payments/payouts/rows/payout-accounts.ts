// Accounts that a payout's owner named in its request, as stored, with their MAC.

import type { AccountRef, JournalKind } from '../../../ledger/index.ts';
import { isMac, macOf, steady } from '../../../platform/index.ts';
import { type StoredAccount, accountOf, storedAccount } from '../../payins/events.ts';

/** Accounts and kinds of a payout's journals, as its owner named them in the request. */
export interface PayoutBooks {
  /** Cause of the journals: the owner's row. */
  readonly cause: string;
  /** Account that the money goes to if it is not sent, or comes back. */
  readonly back: AccountRef;
  /** Fee taken with it; it is returned, too, if nothing was sent. */
  readonly fee: bigint;
  /** Kinds of its journals: sent, not sent, come back. */
  readonly kinds: Readonly<Record<'sent' | 'notSent' | 'returned', JournalKind>>;
}

/** The same as stored in the row. */
export interface StoredBooks extends Omit<PayoutBooks, 'back' | 'fee'> {
  readonly back: StoredAccount;
  readonly fee: string;
}

/** Converts books to their stored form. */
export const storedBooks = ({ back, fee, ...rest }: PayoutBooks): StoredBooks => ({
  ...rest,
  back: storedAccount(back),
  fee: fee.toString(),
});

/** Converts stored books back. */
export const booksOf = ({ back, fee, ...rest }: StoredBooks): PayoutBooks => ({
  ...rest,
  back: accountOf(back),
  fee: BigInt(fee),
});

const contentOf = (id: string, { cause, back, fee, kinds }: PayoutBooks): string =>
  steady([id, cause, back.name, fee.toString(), kinds.sent, kinds.notSent, kinds.returned]);

/** Returns the MAC of a payout's books. */
export const booksMac = (id: string, books: PayoutBooks): string => macOf('payout_books', contentOf(id, books));

/** True if the accounts are those that the payout's owner named. */
export const isAsNamed = (id: string, books: PayoutBooks, mac: string | null): boolean =>
  isMac('payout_books', contentOf(id, books), mac);
