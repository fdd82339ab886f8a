import type { AccountType } from '../../../ledger/index.ts';

/** The account types of the ledger in which money stands for orders and for unallocated payments. */
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
