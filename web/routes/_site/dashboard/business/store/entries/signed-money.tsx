import type { ReactNode } from 'react';
import { Money } from '../../../../../../features/money.tsx';

/** Shows a sum that may be below zero. With `isChange`, a sum above zero has a plus sign. */
export function SignedMoney({
  amount,
  currency,
  isChange = false,
}: {
  amount: string;
  currency: string;
  isChange?: boolean;
}): ReactNode {
  const isLess = amount.startsWith('-');
  const sign = isLess ? '−' : isChange ? '+' : undefined;
  return <Money of={{ amount: amount.replace('-', ''), currency }} look="quiet" {...(sign && { sign })} />;
}
