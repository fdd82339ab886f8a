import type { AccountType } from '../../../ledger/index.ts';

/** Ledger account types that hold the money of orders and of unallocated payments. */
export const ORDER_ACCOUNT_TYPES: readonly AccountType[] = [
  'order:in',
  'order:out',
  'order:reserve',
  'payout',
  'unallocated',
  'unclaimed',
  'frozen',
  'receivable',
];
