import type { Wallet } from './page.server.ts';

/** In cents; of two digits behind the point, as values come. */
const centsOf = (value: string): bigint => BigInt(value.replace('.', ''));

/** Wallets by what they hold in dollars, the most first; those without a rate last. */
export function byWorth(wallets: readonly Wallet[]): Wallet[] {
  const cents = ({ value_usd }: Wallet): bigint => (value_usd === null ? -1n : centsOf(value_usd));
  return wallets.toSorted((one, other) => (cents(other) > cents(one) ? 1 : cents(other) < cents(one) ? -1 : 0));
}

/** All that stands in wallets in dollars with two digits, added up exactly; undefined where one of them has no rate. */
export function worthOf(wallets: readonly Wallet[]): string | undefined {
  let cents = 0n;
  for (const { value_usd } of wallets) {
    if (value_usd === null) return undefined;
    cents += centsOf(value_usd);
  }
  const text = cents.toString().padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
}

/** Nothing, in any number of digits. */
export const isZero = (amount: string): boolean => /^0(\.0+)?$/.test(amount);
