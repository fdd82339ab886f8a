import type { Output, Routes } from '@kurs/contract';
import { m } from '../../../../../../features/words.ts';

export type Report = Output<Routes['storeReport']>;
export type UnitFigures = Report['units'][number];
export type Entry = Output<Routes['storeEntries']>['entries'][number];
export type EntryKind = Entry['kind'];

/** Names of the kinds of entries, in the order of a report. */
export const KIND_NAMES: Readonly<Record<EntryKind, () => string>> = {
  sale: () => m.entries_sale(),
  spread: () => m.entries_spread(),
  cost: () => m.entries_cost(),
  fee: () => m.entries_fee(),
  reversal: () => m.entries_reversal(),
  reversal_undone: () => m.entries_reversal_undone(),
  refund: () => m.entries_refund(),
  refund_back: () => m.entries_refund_back(),
  reserve_in: () => m.entries_reserve_in(),
  reserve_out: () => m.entries_reserve_out(),
  settlement: () => m.entries_settlement(),
  moved_back: () => m.entries_moved_back(),
  debt_repaid: () => m.entries_debt_repaid(),
  other: () => m.entries_other(),
};

/** Groups by which members filter entries, with the kinds in each group. */
export const ENTRY_GROUPS = {
  sales: ['sale', 'spread', 'cost', 'fee'],
  reversals: ['reversal', 'reversal_undone', 'debt_repaid'],
  refunds: ['refund', 'refund_back'],
  settlements: ['settlement', 'moved_back'],
} as const satisfies Record<string, readonly EntryKind[]>;

export type EntryGroup = keyof typeof ENTRY_GROUPS;

/** Returns the name of a group of entries. */
export const groupName = (group: EntryGroup | 'all'): string =>
  ({
    all: m.entries_all,
    sales: m.entries_group_sales,
    reversals: m.entries_group_reversals,
    refunds: m.entries_group_refunds,
    settlements: m.entries_group_settlements,
  })[group]();
