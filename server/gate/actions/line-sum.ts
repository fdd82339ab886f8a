// Checks the lines and the tax that a shop states with an invoice. They are shown and never computed with afterwards. Pure.

import { fieldProblem } from '@kurs/contract';
import { decimal, format, money, scaleOf } from '@kurs/money';
import type { InvoiceTerms } from '../invoices/invoice.ts';

interface Stated {
  readonly lines: readonly { readonly quantity: string; readonly unit_price: string }[];
  readonly tax?: string | undefined;
}

/**
 * Throws `validation` if the lines don't sum to the amount exactly, if a price has more digits than the currency, or if the tax is
 * larger than the amount. Lines of a top-up have nothing to sum to, and are refused.
 */
export function requireLinesSum({ lines, tax }: Stated, { amount, currency, digits }: InvoiceTerms): void {
  if (lines.length > 0) requireSum(lines, { amount, currency, digits });
  if (tax === undefined) return;
  const parts = exactParts(tax, currency);
  if (parts === undefined) throw fieldProblem('tax', 'amount_decimals', { currency, decimals: String(digits) });
  if (amount === undefined || parts > amount) throw fieldProblem('tax', 'tax_too_large');
}

function requireSum(
  lines: Stated['lines'],
  { amount, currency, digits }: Pick<InvoiceTerms, 'amount' | 'currency' | 'digits'>,
): void {
  const scale = 10n ** BigInt(scaleOf(currency));
  let [numerator, denominator] = [0n, 1n];
  for (const { quantity, unit_price: price } of lines) {
    const [a, b] = [decimalOf(quantity), decimalOf(price)];
    const [n, d] = [a.numerator * b.numerator, a.denominator * b.denominator];
    [numerator, denominator] = [numerator * d + n * denominator, denominator * d];
  }
  if (amount !== undefined && numerator * scale === amount * denominator) return;
  // The sum is shown rounded up, since it may be finer than the currency.
  const sum = (numerator * scale + denominator - 1n) / denominator;
  const shown = (parts: bigint): string => format(money(currency, parts), digits);
  throw fieldProblem('lines', 'lines_do_not_sum', { sum: shown(sum), amount: amount === undefined ? '–' : shown(amount) });
}

/** Parses a decimal that may be zero. */
function decimalOf(text: string): { readonly numerator: bigint; readonly denominator: bigint } {
  return /[1-9]/.test(text) ? decimal(text) : { numerator: 0n, denominator: 1n };
}

function exactParts(text: string, currency: string): bigint | undefined {
  const { numerator, denominator } = decimalOf(text);
  const scale = 10n ** BigInt(scaleOf(currency));
  return (numerator * scale) % denominator === 0n ? (numerator * scale) / denominator : undefined;
}
