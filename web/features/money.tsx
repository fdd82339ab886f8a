import type { ReactNode } from 'react';
import { writeAmount } from '../ui/amount.ts';
import { useLocale } from '../ui/locale.ts';
import { findCurrency, leastDigits, tickerOf } from './currency.ts';
import { useCurrency } from './use-currency.ts';
import { useSite } from './site.ts';
import css from './money.module.css';

export interface Sum {
  /** Canonical decimal text. */
  readonly amount: string;
  readonly currency: string;
}

/**
 * An amount of money: the only way one comes onto a page. All its digits stand; the code follows, small and grey in
 * lists (`quiet`), grey and smaller beside large figures (`large`).
 */
export function Money({
  of: sum,
  look = 'plain',
  sign,
  code = true,
}: {
  of: Sum;
  look?: 'plain' | 'quiet' | 'large';
  sign?: '+' | '−';
  code?: boolean;
}): ReactNode {
  const locale = useLocale();
  const currency = useCurrency(sum.currency);
  return (
    <span className={`${css['money']} ${css[look] ?? ''} num`}>
      {sign}
      {writeAmount(sum.amount, leastDigits(currency.payDigits), locale)}
      {code && (
        <>
          {'\u00a0'}
          <span className={css['code']}>{tickerOf(currency)}</span>
        </>
      )}
    </span>
  );
}

/** An amount as text for sentences and labels: `1,000.00 USDT`. */
export function useMoneyText(): (sum: Sum) => string {
  const locale = useLocale();
  const { currencies } = useSite();
  return ({ amount, currency: code }) => {
    const currency = findCurrency(currencies, code);
    return `${writeAmount(amount, leastDigits(currency.payDigits), locale)}\u00a0${tickerOf(currency)}`;
  };
}
