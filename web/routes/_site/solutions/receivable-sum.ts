import { add, format, parse } from '@kurs/money';
import { type Direction, calculate } from '../../../features/calculator/price-breakdown.ts';
import { type Currency, findCurrency } from '../../../features/currency.ts';
import { writeMoney } from '../../../features/money.tsx';
import { m } from '../../../features/words.ts';
import type { SiteLocale } from '../../../site.ts';

/** What a typed sum to be received comes to: the amount, or the limits that it doesn't keep; neither for what is no amount. */
export interface ReceivableSum {
  readonly amount?: string;
  readonly limits?: string;
}

/** Reads a sum to be received through a direction. Only what the direction takes now becomes an amount. */
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
  const [least, most] = receivable(direction, give, get);
  const money = (sum: string): string => writeMoney({ amount: sum, currency: get.code }, [get], locale);
  return { limits: m.amount_receivable({ least: money(least), most: money(most) }) };
}

/** The least and the most that one order through a direction brings. */
function receivable(direction: Direction, give: Currency, get: Currency): [least: string, most: string] {
  const brought = (amount: string): string => calculate(amount, 'give', direction, give, get, 'en').view?.get.amount ?? '0';
  const isTaken = (amount: string): boolean => !calculate(amount, 'get', direction, give, get, 'en').problem;
  const least = brought(direction.min);
  // What the least payment brings may be had for less, which is too little: then it is a step more.
  const step = parse(get.unit, get.payDigits === 0 ? '1' : `0.${'1'.padStart(get.payDigits, '0')}`);
  const most = brought(direction.max);
  return [isTaken(least) ? least : format(add(parse(get.unit, least), step)), isTaken(most) ? most : direction.reserve];
}
