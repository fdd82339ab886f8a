import type { Output, Routes } from '@kurs/contract';
import type { WayFee } from './sums.ts';

type ApiCurrency = Output<Routes['currencies']>[number];

/** One way out of a wallet: a network or a payment system. */
export interface Way {
  readonly rail: string;
  /** Currency that is sent. */
  readonly by: string;
  readonly kind: ApiCurrency['kind'];
  readonly network: string;
  readonly fields: ApiCurrency['fields'];
  /** Median time of recent payouts, in minutes. */
  readonly minutes?: number;
  /** Fee, and the minimum amount. */
  readonly terms?: { readonly fee: WayFee; readonly min: string };
  /** Reason why it can't be used now, as a text. */
  readonly refused?: string;
}

/** True if the way makes a voucher, which needs no receiving account. */
export const isVoucher = ({ fields }: Pick<Way, 'fields'>): boolean => fields.length === 0;
