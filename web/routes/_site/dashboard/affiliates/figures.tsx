import type { ReactNode } from 'react';
import { Money } from '../../../../features/money.tsx';
import { m } from '../../../../features/words.ts';
import { writeDecimal, writePercent } from '../../../../ui/base/amount.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { useLocale } from '../../../../ui/base/locale.ts';
import type { AffiliatesData } from './affiliates-data.ts';
import css from './affiliates.module.css';

/** Four figures of the last 30 days. */
export function Figures({ data: { statistics } }: { data: AffiliatesData }): ReactNode {
  const locale = useLocale();
  const { clicks, sign_ups: signUps, orders, reward } = statistics.total;
  const whole = (count: number): string => writeDecimal(String(count), locale);
  // Tenths of a percent, in whole numbers.
  const tenths = clicks === 0 ? 0 : Math.round((orders * 1000) / clicks);
  const figures = [
    { name: m.affiliates_earned(), value: <Money of={{ amount: reward, currency: 'USDT' }} look="large" /> },
    { name: m.affiliates_clicks(), value: whole(clicks), note: m.affiliates_clicks_note() },
    { name: m.affiliates_orders(), value: whole(orders), note: m.affiliates_sign_ups({ count: signUps }) },
    {
      name: m.affiliates_rate(),
      value: clicks === 0 ? '–' : writePercent(`${Math.floor(tenths / 10)}.${tenths % 10}`, locale),
    },
  ];
  return (
    <dl className={cx('card', css['figures'])}>
      {figures.map(({ name, value, note }) => (
        <div key={name}>
          <dt className="small soft">{name}</dt>
          <dd className={cx(css['figure'], 'num')}>{value}</dd>
          {note !== undefined && <dd className="small soft">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
