import { type Money, format, money, parse } from '@kurs/money';
import type { Currency } from '../currency.ts';
import { type Direction, calculate } from './price-breakdown.ts';

/** So many times the least that a direction takes is what people commonly exchange; less where its limits are narrow. */
const TIMES = [20n, 10n, 5n, 2n];
/** The same where the payer has to be known: their first orders have limits of their own, far below the direction's. */
const FIRST_TIMES = [5n, 2n];

/**
 * What a calculator begins with where nobody typed: a round amount well above the least, or the least where that is too much.
 */
export function usualAmount(direction: Direction, give: Currency, get: Currency): string {
  const { parts } = parse(give.unit, direction.min);
  const usual = (give.payerLevel === undefined ? TIMES : FIRST_TIMES).map((times) =>
    format(rounded(money(give.unit, parts * times))),
  );
  return usual.find((amount) => !calculate(amount, 'give', direction, give, get, 'en').problem) ?? direction.min;
}

/** The greatest 1, 2 or 5 with zeros behind it that is not above the amount. */
function rounded({ unit, parts }: Money): Money {
  const digits = String(parts);
  const first = ['5', '2'].find((digit) => digits >= digit) ?? '1';
  return money(unit, BigInt(first + '0'.repeat(digits.length - 1)));
}
