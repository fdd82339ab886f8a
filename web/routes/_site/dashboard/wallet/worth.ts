import type { Wallet } from './page.server.ts';

/** Returns the cents of a USD value, which has two digits after the point. */
const centsOf = (value: string): bigint => BigInt(value.replace('.', ''));

/** Sorts wallets by their value in USD, the highest first. Wallets without a rate come last. */
export function byWorth(wallets: readonly Wallet[]): Wallet[] {
  const cents = ({ value_usd }: Wallet): bigint => (value_usd === null ? -1n : centsOf(value_usd));
  return wallets.toSorted((one, other) => (cents(other) > cents(one) ? 1 : cents(other) < cents(one) ? -1 : 0));
}

/** Returns the total value of all wallets in USD, with two digits; undefined if a wallet has no rate. */
export function worthOf(wallets: readonly Wallet[]): string | undefined {
  let cents = 0n;
  for (const { value_usd } of wallets) {
    if (value_usd === null) return undefined;
    cents += centsOf(value_usd);
  }
  const text = cents.toString().padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
}

/** True if an amount is zero, with any number of digits. */
export const isZero = (amount: string): boolean => /^0(\.0+)?$/.test(amount);
