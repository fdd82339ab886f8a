import type { Output, Routes } from '@kurs/contract';
import type { Visit } from '../../../../server/visit.ts';

export type Wallet = Output<Routes['wallets']>[number];
export type Deposit = Output<Routes['walletDeposits']>[number];
export type Transaction = Output<Routes['walletTransactions']>[number];

/** A holder's wallets, and what moved in the one that is chosen. */
export interface WalletData {
  readonly now: string;
  readonly wallets: readonly Wallet[];
  /** The unit whose transactions are shown; none while there is no wallet. */
  readonly unit: string | undefined;
  readonly transactions: readonly Transaction[];
  /** Payments that are on their way in. */
  readonly coming: readonly Deposit[];
  /** The address of the next, older page; absent on the last one. */
  readonly next?: string;
}

const PAGE = 20;

/** Loads the wallets, and a page of what moved in the one that the address names, else in the first. */
export async function loadWallet({ client, url, now }: Visit): Promise<WalletData> {
  const [wallets, deposits] = await Promise.all([client.wallets({}), client.walletDeposits({})]);
  const asked = url.searchParams.get('currency');
  const unit = (wallets.find(({ currency }) => currency === asked) ?? wallets[0])?.currency;
  const before = url.searchParams.get('before');
  const isNumber = before !== null && /^[1-9]\d{0,18}$/.test(before);
  const found =
    unit === undefined ? [] : await client.walletTransactions({ currency: unit, limit: PAGE + 1, ...(isNumber && { before }) });
  const transactions = found.slice(0, PAGE);
  const last = transactions.at(-1)?.id;
  const next = found.length > PAGE && unit && last ? { next: `?${new URLSearchParams({ currency: unit, before: last })}` } : {};
  return {
    now,
    wallets,
    unit,
    transactions,
    coming: deposits.filter(({ status }) => status === 'seen' || status === 'checking'),
    ...next,
  };
}
