// Accounts that an owner named when it requested a payout, as stored, with their MAC.

import type { AccountRef, JournalKind } from '../../../ledger/index.ts';
import { isMac, macOf, steady } from '../../../platform/index.ts';
import { type StoredAccount, accountOf, storedAccount } from '../../payins/events.ts';

/** Accounts and kinds of a payout's journals, as its owner named them in the request. */
export interface PayoutBooks {
  /** Cause of the journals: the id of the owner's row. */
  readonly cause: string;
  /** Account that gets the payout's money back if the payout is not sent or is returned. */
  readonly back: AccountRef;
  /**
   * Fee that the payout takes from the owner's account in addition to its amount. If nothing was sent, the fee is returned, too.
   */
  readonly fee: bigint;
  /** Kinds of the payout's journals: money sent, not sent, and returned. */
  readonly kinds: Readonly<Record<'sent' | 'notSent' | 'returned', JournalKind>>;
}

/** `PayoutBooks` as stored in the payout's row. */
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

/** True if a payout's stored accounts are those that its owner named in the request. */
export const isAsNamed = (id: string, books: PayoutBooks, mac: string | null): boolean =>
  isMac('payout_books', contentOf(id, books), mac);
