import { writeAmount } from '../../../../ui/base/amount.ts';
import { useLocale } from '../../../../ui/base/locale.ts';

/** Returns a function that formats an amount of USD, without cents if there are none. */
export function useUsd(): (amount: string) => string {
  const locale = useLocale();
  return (amount) => `${writeAmount(amount, amount.endsWith('.00') ? 0 : 2, locale)}\u00a0USD`;
}
