import { Problem } from '@kurs/contract';
import { MoneyError, parse } from '@kurs/money';

/** The parts of an amount as a person of the desk typed it. Throws `validation` on its field for none, and for nothing. */
export function partsOf(unit: string, text: string, field = 'amount'): bigint {
  try {
    const { parts } = parse(unit, text);
    if (parts > 0n) return parts;
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
  }
  throw new Problem('validation', { errors: { [field]: { code: 'amount_format' } } });
}
