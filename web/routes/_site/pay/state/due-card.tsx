import type { ReactNode } from 'react';
import { Money } from '../../../../features/money.tsx';
import { m } from '../../../../features/words.ts';
import css from './due-card.module.css';
import { isMarked, isPartlyPaid, isUnfinished } from '../pay-data.ts';
import { usePay } from '../use-pay.ts';

/** Sums that are paid, on their way and due, with a bar; absent while nothing has been paid. */
export function DueCard(): ReactNode {
  const { invoice, shares } = usePay().data;
  const { credited, pending, due, currency } = invoice;
  if (!isUnfinished(invoice) || isMarked(invoice) || !isPartlyPaid(invoice)) return null;
  const sums = [
    { key: 'paid', label: m.checkout_credited(), amount: credited },
    { key: 'way', label: m.checkout_pending(), amount: pending },
    { key: 'due', label: m.checkout_due(), amount: due ?? '0' },
  ] as const;
  return (
    <section className={css['card']} aria-label={m.checkout_progress()}>
      <svg className={css['bar']} width="100%" height="8" aria-hidden="true">
        <rect width="100%" height="8" rx="4" className={css['rest']} />
        <rect width={`${shares.covered}%`} height="8" rx="4" className={css['pending']} />
        <rect width={`${shares.credited}%`} height="8" rx="4" className={css['credited']} />
      </svg>
      <dl className={css['sums']}>
        {sums.map(({ key, label, amount }) => (
          <div key={key} className={css[key]}>
            <dt>{label}</dt>
            <dd>
              <Money of={{ amount, currency }} look="quiet" />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
