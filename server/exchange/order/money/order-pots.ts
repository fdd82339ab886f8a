import type { Pot } from '../../../ledger/index.ts';

/** The pots of the ledger in which money stands for orders and for unallocated payments. */
export const ORDER_POTS: readonly Pot[] = [
  'order:in', 'order:out', 'order:reserve', 'payout', 'stray', 'unclaimed', 'frozen', 'receivable',
]; // prettier-ignore
