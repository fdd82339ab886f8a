import { type Money, MoneyError, format, parse, scaleOf } from '@kurs/money';
import { Unreachable } from '../provider/index.ts';

/** PayPal's currencies without decimals: PayPal refuses amounts with decimals in them (PayPal, currency codes). */
const WHOLE = new Set(['HUF', 'JPY', 'TWD']);

/** PayPal's codes by our currencies, which are also their units. */
const CODES: ReadonlyMap<string, string> = new Map([
  ['PAYPAL_USD', 'USD'],
  ['PAYPAL_EUR', 'EUR'],
]);

/** Our currencies, in the order in which lists show them. */
export const CURRENCIES: readonly string[] = [...CODES.keys()];

/** Returns PayPal's three-letter code for our currency. Throws an Error for a currency of another rail. */
export function codeOf(currency: string): string {
  const code = CODES.get(currency);
  if (code === undefined) throw new Error(`PayPal has no ${currency}`);
  return code;
}

/**
 * Writes an amount for PayPal: with two decimals, or none if its currency has none. Throws a `RangeError` if the amount has
 * more decimals than PayPal can pay.
 */
export function valueOf(amount: Money, code: string): string {
  const digits = WHOLE.has(code) ? 0 : 2;
  const text = format(amount, digits);
  const behind = text.split('.')[1] ?? '';
  if (behind.length > digits) throw new RangeError(`${code} is paid with ${digits} decimals`);
  return scaleOf(amount.unit) === 0 || digits === 0 ? text : text.padEnd(text.length + digits - behind.length, '0');
}

/** Returns PayPal's amount in our minor units; undefined for another currency. Throws `Unreachable` for an invalid amount. */
export function partsOf(currency: string, code: string, value: string): bigint | undefined {
  if (code !== codeOf(currency)) return undefined;
  try {
    return parse(currency, value).parts;
  } catch (error) {
    if (error instanceof MoneyError) throw new Unreachable(`an amount that can't be: ${error.code}`);
    throw error;
  }
}
