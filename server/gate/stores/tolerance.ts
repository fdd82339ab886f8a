// The part of an invoice that may be missing: a percentage outside, hundredths of a percent inside.

/** Returns the hundredths of a percentage with at most two decimals: `0.5` gives 50. */
export function hundredthsOf(percentage: string): number {
  const [whole = '0', rest = ''] = percentage.split('.');
  return Number.parseInt(whole, 10) * 100 + Number.parseInt(rest.padEnd(2, '0'), 10);
}

/** Returns hundredths of a percent as a percentage without needless zeros: 50 gives `0.5`. */
export function percentageOf(hundredths: number): string {
  const rest = String(hundredths % 100)
    .padStart(2, '0')
    .replace(/0+$/, '');
  return `${Math.trunc(hundredths / 100)}${rest && `.${rest}`}`;
}
