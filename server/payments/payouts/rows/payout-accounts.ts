// The accounts that a payout's owner named when it asked for it, as they are stored, with their MAC.

import type { AccountRef, JournalKind } from '../../../ledger/index.ts';
import { isMac, macOf, steady } from '../../../platform/index.ts';
import { type StoredAccount, accountOf, storedAccount } from '../../payins/events.ts';

/** Between which accounts a payout's money moves, as its owner named them when it asked for it. */
export interface PayoutBooks {
  /** What the journals are about: the owner's row. */
  readonly cause: string;
  /** Where the money goes where it is not sent, and where it comes back to. */
  readonly back: AccountRef;
  /** The fee that was taken with it: it goes back, too, where nothing was sent. */
  readonly fee: bigint;
  /** What its journals are called: it was sent, it was not, it came back. */
  readonly kinds: Readonly<Record<'sent' | 'notSent' | 'returned', JournalKind>>;
}

/** As its row has it. */
export interface StoredBooks extends Omit<PayoutBooks, 'back' | 'fee'> {
  readonly back: StoredAccount;
  readonly fee: string;
}

/** Books as they are stored. */
export const storedBooks = ({ back, fee, ...rest }: PayoutBooks): StoredBooks => ({
  ...rest,
  back: storedAccount(back),
  fee: fee.toString(),
});

/** The books that were stored. */
export const booksOf = ({ back, fee, ...rest }: StoredBooks): PayoutBooks => ({
  ...rest,
  back: accountOf(back),
  fee: BigInt(fee),
});

const contentOf = (id: string, { cause, back, fee, kinds }: PayoutBooks): string =>
  steady([id, cause, back.name, fee.toString(), kinds.sent, kinds.notSent, kinds.returned]);

/** The MAC of a payout's books. */
export const booksMac = (id: string, books: PayoutBooks): string => macOf('payout_books', contentOf(id, books));

/** Are they the books that its owner named? */
export const isAsNamed = (id: string, books: PayoutBooks, mac: string | null): boolean =>
  isMac('payout_books', contentOf(id, books), mac);
