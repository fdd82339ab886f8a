import type { Output, Routes } from '@kurs/contract';
import type { Visit } from '../../../../server/routing/visit.ts';
import type { Operation } from './operation-words.ts';

export type Wallet = Output<Routes['wallets']>[number];
export type Deposit = Output<Routes['walletDeposits']>[number];

/** A holder's wallets, and the newest of what moved in them. */
export interface WalletData {
  readonly now: string;
  readonly wallets: readonly Wallet[];
  /** Of when the rates are that wallets are worth so much by. */
  readonly ratesAt: string | undefined;
  readonly newest: readonly Operation[];
  /** How many operations there are. */
  readonly total: number;
  /** Payments that are on their way in, and those that came and can't be used yet. */
  readonly coming: readonly Deposit[];
  readonly waiting: readonly Deposit[];
}

const NEWEST = 6;
/** There, and not to be used yet. */
const WAITING: ReadonlySet<Deposit['status']> = new Set(['checking', 'maturing', 'returning']);

/** Loads the wallets, what is on its way in, and the newest operations. */
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
