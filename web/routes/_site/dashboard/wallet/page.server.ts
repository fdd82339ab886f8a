import type { Output, Routes } from '@kurs/contract';
import type { Visit } from '../../../../server/routing/visit.ts';
import type { Operation } from './operation-words.ts';

export type Wallet = Output<Routes['wallets']>[number];
export type Deposit = Output<Routes['walletDeposits']>[number];

/** Data of the page of wallets: the wallets, pending deposits, and the newest operations. */
export interface WalletData {
  readonly now: string;
  readonly wallets: readonly Wallet[];
  /** Time of the rates by which the wallets' values in USD are computed. */
  readonly ratesAt: string | undefined;
  readonly newest: readonly Operation[];
  /** Number of all operations in the wallets. */
  readonly total: number;
  /** Deposits that are not confirmed yet. */
  readonly coming: readonly Deposit[];
  /** Deposits that are confirmed but can't be used yet. */
  readonly waiting: readonly Deposit[];
}

const NEWEST = 6;
/** Statuses of deposits that are confirmed but can't be used yet. */
const WAITING: ReadonlySet<Deposit['status']> = new Set(['checking', 'maturing', 'returning']);

/** Loads the wallets, the pending deposits and the newest operations. */
export async function load({ client, now }: Visit): Promise<WalletData> {
  const [wallets, { rates_at: ratesAt }, deposits, { data: newest, meta }] = await Promise.all([
    client.wallets({}),
    client.directions({}),
    client.walletDeposits({}),
    client.userTransactions({ per_page: NEWEST }),
  ]);
  const coming = deposits.filter(({ status }) => status === 'seen');
  const waiting = deposits.filter(({ status }) => WAITING.has(status));
  return { now, wallets, ratesAt, newest, total: meta.total, coming, waiting };
}
