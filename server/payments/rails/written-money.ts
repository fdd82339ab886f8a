// How money is named to people: in letters, alarms and what else is read. Never by a code of ours.

import type { Locale } from '@kurs/contract';
import { format, leastDigits, money, tickerOf, writeAmount } from '@kurs/money';
import { currencyOf } from './registry.ts';

/** An amount in parts of a unit, as it moves by a currency. */
export interface Sum {
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
}

/** An amount as people of a language read it: `1,250.50 USDT`. Throws for a unit that this build doesn't know. */
export function writeSum({ currency, unit, parts }: Sum, locale: Locale): string {
  const digits = currencyOf(currency)?.payDigits ?? 0;
  return `${writeAmount(format(money(unit, parts), digits), leastDigits(digits), locale)}\u00a0${tickerOf(unit)}`;
}

/** The same with its network or payment system, where one unit moves on several: `1,250.50 USDT (TRON · TRC-20)`. */
export function writeSumNamed(sum: Sum, locale: Locale): string {
  return `${writeSum(sum, locale)}${networkBeside(sum.currency)}`;
}

/** What people call a currency: `BTC`, `USDT (TRON · TRC-20)`, `USD (PayPal)`. */
export function currencyName(currency: string): string {
  return `${tickerOf(currency)}${networkBeside(currency)}`;
}

function networkBeside(currency: string): string {
  const network = currencyOf(currency)?.network;
  return network === undefined || tickerOf(currency) === currency ? '' : ` (${network})`;
}
