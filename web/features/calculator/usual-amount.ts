import { type Money, format, money, parse } from '@kurs/money';
import type { Currency } from '../currency.ts';
import { type Direction, calculate } from './price-breakdown.ts';

/**
 * Multiples of a direction's minimum to start with, the preferred one first. The smaller multiples are for directions with narrow
 * limits.
 */
const TIMES = [20n, 10n, 5n, 2n];
/**
 * Multiples for currencies whose payers must be verified. They are smaller, because a customer's first orders have lower limits
 * than the direction.
 */
const FIRST_TIMES = [5n, 2n];

/**
 * Returns the amount that the calculator starts with: a round amount well above the direction's minimum, or the minimum if no
 * such amount is allowed.
 */
export function usualAmount(direction: Direction, give: Currency, get: Currency): string {
  const { parts } = parse(give.unit, direction.min);
  const usual = (give.payerLevel === undefined ? TIMES : FIRST_TIMES).map((times) =>
    format(rounded(money(give.unit, parts * times))),
  );
  return usual.find((amount) => !calculate(amount, 'give', direction, give, get, 'en').problem) ?? direction.min;
}

/** Rounds an amount down to a digit 1, 2 or 5 followed by zeros. */
function rounded({ unit, parts }: Money): Money {
  const digits = String(parts);
  const first = ['5', '2'].find((digit) => digits >= digit) ?? '1';
  return money(unit, BigInt(first + '0'.repeat(digits.length - 1)));
}
