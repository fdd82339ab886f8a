import { fieldProblem } from '@kurs/contract';
import { MoneyError, parse, roundTo } from '@kurs/money';

/** Parses an amount of an asset, in parts. Throws `validation` on the field for too many digits. */
export function parsed(field: string, text: string, currency: string, digits: number): bigint {
  try {
    const amount = parse(currency, text);
    if (roundTo(amount, digits, 'down').parts === amount.parts) return amount.parts;
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    if (error.code === 'too_large') throw fieldProblem(field, 'amount_too_long');
  }
  throw fieldProblem(field, 'amount_decimals', { currency, decimals: String(digits) });
}

/** Parses an amount as `parsed` does. Throws `validation` for zero, too. */
export function parsedPositive(field: string, text: string, currency: string, digits: number): bigint {
  const parts = parsed(field, text, currency, digits);
  if (parts === 0n) throw fieldProblem(field, 'amount_format');
  return parts;
}
