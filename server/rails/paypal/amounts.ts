import { type Money, MoneyError, format, parse, scaleOf } from '@kurs/money';
import { Unreachable } from '../provider/index.ts';

/** PayPal's currencies without decimals: an amount with any is refused there (PayPal, currency codes). */
const WHOLE = new Set(['HUF', 'JPY', 'TWD']);

/** The currencies of this rail: our code and unit, and PayPal's code. */
const CODES: ReadonlyMap<string, string> = new Map([
  ['PAYPAL_USD', 'USD'],
  ['PAYPAL_EUR', 'EUR'],
]);

/** Our codes, in the order in which they are listed. */
export const CURRENCIES: readonly string[] = [...CODES.keys()];

/** PayPal's three letters for a currency of ours. Throws for one that isn't this rail's. */
export function codeOf(currency: string): string {
  const code = CODES.get(currency);
  if (code === undefined) throw new Error(`PayPal has no ${currency}`);
  return code;
}

/**
 * An amount as PayPal wants it: with both decimals, or none where its currency has none. Throws where the amount has parts
 * that PayPal can't pay.
 */
export function valueOf(amount: Money, code: string): string {
  const digits = WHOLE.has(code) ? 0 : 2;
  const text = format(amount, digits);
  const behind = text.split('.')[1] ?? '';
  if (behind.length > digits) throw new RangeError(`${code} is paid with ${digits} decimals`);
  return scaleOf(amount.unit) === 0 || digits === 0 ? text : text.padEnd(text.length + digits - behind.length, '0');
}

/**
 * Parts of our unit in an amount that PayPal tells; undefined where it is of another currency. Throws `Unreachable` for no
 * amount.
 */
export function partsOf(currency: string, code: string, value: string): bigint | undefined {
  if (code !== codeOf(currency)) return undefined;
  try {
    return parse(currency, value).parts;
  } catch (error) {
    if (error instanceof MoneyError) throw new Unreachable(`an amount that can't be: ${error.code}`);
    throw error;
  }
}
