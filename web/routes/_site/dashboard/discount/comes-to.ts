/** Percent of the fee that all discounts of an exchange take together at the most. */
const MOST = 50n;

/** What a coupon's percentage (with two decimals at most) comes to, as percent of the fee. */
export function comesTo(percent: string): string {
  const [whole = '0', part = ''] = percent.split('.');
  return BigInt(whole + part.padEnd(2, '0')) > MOST * 100n ? String(MOST) : percent;
}
