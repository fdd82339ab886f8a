// Cells of a store's files.

import type { Cell } from '../../platform/index.ts';

/** Returns an amount as a cell; an empty cell for undefined. */
export const amountCell = (amount: string | undefined): Cell => (amount === undefined ? '' : { amount });

/** Returns sums as one text, such as `1.00 USDT + 0.5 BTC`. */
export const sumsText = (sums: readonly { readonly amount: string; readonly currency: string }[]): string =>
  sums.map(({ amount, currency }) => `${amount} ${currency}`).join(' + ');

/** Returns a function that writes times as clocks in a time zone show them: `2026-11-30 23:59:59`. */
export function clockIn(timezone: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' });
  return (at) => format.format(at);
}
