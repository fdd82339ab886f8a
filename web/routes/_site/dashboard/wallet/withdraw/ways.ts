import type { Output, Routes } from '@kurs/contract';
import type { WayFee } from './sums.ts';

type ApiCurrency = Output<Routes['currencies']>[number];

/** Method of withdrawing from a wallet: by a network or a payment system. */
export interface Way {
  readonly rail: string;
  /** Currency in which the money is sent. */
  readonly by: string;
  readonly kind: ApiCurrency['kind'];
  readonly network: string;
  readonly fields: ApiCurrency['fields'];
  /** Usual time of recent payouts, in minutes. */
  readonly minutes?: number;
  /** Fee and minimum amount of this method; absent if no quote could be made. */
  readonly terms?: { readonly fee: WayFee; readonly min: string };
  /** Reason why this method can't be used now, as a text. */
  readonly refused?: string;
}

/** True if this method pays out a voucher, which needs no receiving account. */
export const isVoucher = ({ fields }: Pick<Way, 'fields'>): boolean => fields.length === 0;
