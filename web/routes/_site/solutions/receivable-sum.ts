import { add, format, parse } from '@kurs/money';
import { type Direction, calculate } from '../../../features/calculator/price-breakdown.ts';
import { type Currency, findCurrency } from '../../../features/currency.ts';
import { writeMoney } from '../../../features/money.tsx';
import { m } from '../../../features/words.ts';
import type { SiteLocale } from '../../../site.ts';

/**
 * Result of reading a typed amount to receive: the `amount` if it is within the limits, otherwise a text with the `limits`. Empty
 * if the text is not an amount.
 */
export interface ReceivableSum {
  readonly amount?: string;
  readonly limits?: string;
}

/** Reads a typed amount to receive in a direction, and checks it against the direction's current limits. */
export function receivableSum(
  typed: string,
  direction: Direction,
  currencies: readonly Currency[],
  locale: SiteLocale,
): ReceivableSum {
  const [give, get] = [findCurrency(currencies, direction.from), findCurrency(currencies, direction.to)];
  const { amount, problem } = calculate(typed, 'get', direction, give, get, locale);
  if (problem?.code === 'unreadable') return {};
  if (!problem) return amount === undefined ? {} : { amount };
  const [min, max] = receivable(direction, give, get);
  const money = (sum: string): string => writeMoney({ amount: sum, currency: get.code }, [get], locale);
  return { limits: m.amount_receivable({ min: money(min), max: money(max) }) };
}

/** Returns the minimum and the maximum that an order in a direction can pay out. */
function receivable(direction: Direction, give: Currency, get: Currency): [min: string, max: string] {
  const brought = (amount: string): string => calculate(amount, 'give', direction, give, get, 'en').view?.get.amount ?? '0';
  const isTaken = (amount: string): boolean => !calculate(amount, 'get', direction, give, get, 'en').problem;
  const min = brought(direction.min);
  // A payment below the minimum may result in the same amount as the minimum payment, because of rounding. Such an amount is not
  // accepted, so the smallest amount to receive is one step higher.
  const step = parse(get.unit, get.payDigits === 0 ? '1' : `0.${'1'.padStart(get.payDigits, '0')}`);
  const max = brought(direction.max);
  return [isTaken(min) ? min : format(add(parse(get.unit, min), step)), isTaken(max) ? max : direction.reserve];
}
