// Amounts and currencies as written in letters, alarms and other texts for people. Internal codes never appear there.

import type { Locale } from '@kurs/contract';
import { format, minDigits, money, tickerOf, writeAmount } from '@kurs/money';
import { currencyOf } from './registry.ts';

/** An amount in parts of a unit, with the currency that it is paid in. */
export interface Sum {
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
}

/** Returns an amount as people of a language read it: `1,250.50 USDT`. Throws for a unit that this build doesn't know. */
export function writeSum({ currency, unit, parts }: Sum, locale: Locale): string {
  const digits = currencyOf(currency)?.payDigits ?? 0;
  return `${writeAmount(format(money(unit, parts), digits), minDigits(digits), locale)}\u00a0${tickerOf(unit)}`;
}

/** Returns an amount with its network or payment system, if its unit exists on more than one: `1,250.50 USDT (TRON · TRC-20)`. */
export function writeSumNamed(sum: Sum, locale: Locale): string {
  return `${writeSum(sum, locale)}${networkBeside(sum.currency)}`;
}

/** Returns the name of a currency for people: `BTC`, `USDT (TRON · TRC-20)`, `USD (PayPal)`. */
export function currencyName(currency: string): string {
  return `${tickerOf(currency)}${networkBeside(currency)}`;
}

function networkBeside(currency: string): string {
  const network = currencyOf(currency)?.network;
  return network === undefined || tickerOf(currency) === currency ? '' : ` (${network})`;
}
