import type { Output, Routes } from '@kurs/contract';
import type { Visit } from '../../../../server/visit.ts';
import type { Operation } from './moves.ts';

export type Wallet = Output<Routes['wallets']>[number];
export type Deposit = Output<Routes['walletDeposits']>[number];

/** A holder's wallets, and the newest of what moved in them. */
export interface WalletData {
  readonly now: string;
  readonly wallets: readonly Wallet[];
  readonly newest: readonly Operation[];
  /** How many operations there are. */
  readonly total: number;
  /** Payments that are on their way in, and those that can't be used yet. */
  readonly coming: readonly Deposit[];
}

const NEWEST = 6;
/** Not there yet, or not to be used yet. */
const COMING: ReadonlySet<Deposit['status']> = new Set(['seen', 'checking', 'maturing', 'returning']);

/** Loads the wallets, what is on its way in, and the newest operations. */
export async function loadWallet({ client, now }: Visit): Promise<WalletData> {
  const [wallets, deposits, { data: newest, meta }] = await Promise.all([
    client.wallets({}),
    client.walletDeposits({}),
    client.userTransactions({ per_page: NEWEST }),
  ]);
  const coming = deposits.filter(({ status }) => COMING.has(status));
  return { now, wallets, newest, total: meta.total, coming };
}
