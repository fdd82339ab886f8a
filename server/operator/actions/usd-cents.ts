import { fieldProblem } from '@kurs/contract';
import { MoneyError, parse } from '@kurs/money';

/** Parses a sum in USD into cents. Throws `validation` at the field if it is invalid. */
export function centsOf(field: string, sum: string): bigint {
  try {
    return parse('USD', sum).parts;
  } catch (error) {
    if (error instanceof MoneyError) throw fieldProblem(field, 'amount_format');
    throw error;
  }
}
