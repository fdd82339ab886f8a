import type { ReactNode } from 'react';
import { writeAmount } from '../ui/base/amount.ts';
import { cx } from '../ui/base/cx.ts';
import { type Locale, useLocale } from '../ui/base/locale.ts';
import { type Currency, findCurrency, minDigits, shortNetwork, tickerOf } from './currency.ts';
import { useCurrency } from './use-currency.ts';
import { useSite } from './site.ts';
import css from './money.module.css';

export interface Sum {
  /** Amount as canonical decimal text. */
  readonly amount: string;
  readonly currency: string;
}

/**
 * Shows an amount of money with all its digits, followed by the currency's ticker. All pages show money by this component. The
 * ticker is small and grey in lists (`quiet`), and grey and smaller beside large figures (`large`).
 */
export function Money({
  of: sum,
  look = 'plain',
  sign,
  hasCode = true,
  beside,
}: {
  of: Sum;
  look?: 'plain' | 'quiet' | 'large';
  sign?: '+' | '−';
  hasCode?: boolean;
  /** Other amount of the exchange. If both have the same unit, the payment system is added after this amount's ticker. */
  beside?: Sum | null | undefined;
}): ReactNode {
  const locale = useLocale();
  const currency = useCurrency(sum.currency);
  const other = useCurrency(beside?.currency ?? sum.currency);
  return (
    <span className={cx(css['money'], css[look], 'num')}>
      {/* A single text node, because React would put an HTML comment between two. */}
      {`${sign ?? ''}${writeAmount(sum.amount, minDigits(currency.payDigits), locale)}${hasCode ? '\u00a0' : ''}`}
      {hasCode && <span className={css['code']}>{tickerOf(currency) + systemBeside(currency, other)}</span>}
    </span>
  );
}

/**
 * Returns a currency's payment system in brackets, ` (PayPal)`, if the other currency has the same unit; otherwise an empty text.
 */
const systemBeside = (currency: Currency, other: Currency): string =>
  currency.code !== other.code && tickerOf(currency) === tickerOf(other) ? ` (${shortNetwork(currency.network)})` : '';

/** Writes an amount as text: `1,000.00 USDT`. `currencies` must contain the amount's currency. */
export function writeMoney({ amount, currency: code }: Sum, currencies: readonly Currency[], locale: Locale): string {
  const currency = findCurrency(currencies, code);
  return `${writeAmount(amount, minDigits(currency.payDigits), locale)}\u00a0${tickerOf(currency)}`;
}

/** Returns a function that writes amounts as text, for sentences and labels. */
export function useMoneyText(): (sum: Sum) => string {
  const locale = useLocale();
  const { currencies } = useSite();
  return (sum) => writeMoney(sum, currencies, locale);
}
