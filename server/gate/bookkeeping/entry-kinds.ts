// Kinds of entries: what a movement of a store's balance or reserve is called. A new kind of journal needs a line here.

import type { Output, Routes } from '@kurs/contract';
import type { JournalKind } from '../../ledger/index.ts';

export type EntryKind = Output<Routes['storeEntries']>['entries'][number]['kind'];
/** The two accounts that a store has in each unit. */
export type StoreAccount = 'balance' | 'reserve';

/** Kinds of a journal's movements into an account (`in`) and out of it (`out`). */
type Directions = Readonly<Partial<Record<'in' | 'out', EntryKind>>>;

/** Kind of each movement of a store's accounts, by the journal's kind, the account and the direction. */
export const ENTRY_KINDS: Readonly<Partial<Record<JournalKind, Readonly<Partial<Record<StoreAccount, Directions>>>>>> = {
  invoice_settled: { balance: { in: 'sale', out: 'debt_repaid' }, reserve: { in: 'reserve_in' } },
  invoice_settled_again: { balance: { in: 'reversal_undone', out: 'debt_repaid' }, reserve: { in: 'reversal_undone' } },
  invoice_reversed: { balance: { out: 'reversal' }, reserve: { out: 'reversal' } },
  merchant_settled: { balance: { out: 'settlement' } },
  merchant_funded: { balance: { in: 'moved_back', out: 'debt_repaid' } },
  merchant_refund: { balance: { out: 'refund' }, reserve: { out: 'refund' } },
  merchant_refund_expired: { balance: { in: 'refund_back', out: 'debt_repaid' }, reserve: { in: 'refund_back' } },
  dispute_cost: { balance: { out: 'debt_repaid' } },
  merchant_released: { balance: { in: 'reserve_out', out: 'debt_repaid' }, reserve: { out: 'reserve_out' } },
};

/** Returns the kind of a movement. `change`: positive if money came in. A journal that has no line above gives `other`. */
export function entryKindOf(journal: JournalKind, account: StoreAccount, change: bigint): EntryKind {
  return ENTRY_KINDS[journal]?.[account]?.[change > 0n ? 'in' : 'out'] ?? 'other';
}
