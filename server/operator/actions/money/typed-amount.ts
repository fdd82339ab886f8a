import { Problem } from '@kurs/contract';
import { MoneyError, parse } from '@kurs/money';

/**
 * Parses an amount that a person of the desk typed, into minor units. Throws `validation` at `field` if the text isn't an amount
 * above zero.
 */
export function partsOf(unit: string, text: string, field = 'amount'): bigint {
  try {
    const { parts } = parse(unit, text);
    if (parts > 0n) return parts;
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
  }
  throw new Problem('validation', { errors: { [field]: { code: 'amount_format' } } });
}
