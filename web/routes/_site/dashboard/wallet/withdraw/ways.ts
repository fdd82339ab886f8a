import type { Output, Routes } from '@kurs/contract';
import type { WayFee } from './sums.ts';

type ApiCurrency = Output<Routes['currencies']>[number];

/** One way out of a wallet. */
export interface Way {
  readonly rail: string;
  /** The currency that is sent. */
  readonly by: string;
  readonly kind: ApiCurrency['kind'];
  readonly network: string;
  readonly fields: ApiCurrency['fields'];
  /** Minutes within which half of the recent payouts came. */
  readonly minutes?: number;
  /** What sending costs, and the least that can be sent. */
  readonly terms?: { readonly fee: WayFee; readonly min: string };
  /** Why it can't be used now, in words. */
  readonly refused?: string;
}

/** Whether a way makes a voucher, which goes to no account. */
export const isVoucher = ({ fields }: Pick<Way, 'fields'>): boolean => fields.length === 0;
