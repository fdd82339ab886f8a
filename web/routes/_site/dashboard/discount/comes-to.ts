/** Maximum of all discounts of an exchange together, in percent of the fee. */
const MAX = 50n;

/** Returns the percentage at which a coupon can be used: its own, but at most the maximum. Takes at most two decimals. */
export function comesTo(percent: string): string {
  const [whole = '0', part = ''] = percent.split('.');
  return BigInt(whole + part.padEnd(2, '0')) > MAX * 100n ? String(MAX) : percent;
}
