import type { ReactNode } from 'react';
import { coinOf } from '../../../../../../features/currency.ts';
import { useMoneyText } from '../../../../../../features/money.tsx';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { cx } from '../../../../../../ui/base/cx.ts';
import { Coin } from '../../../../../../ui/base/icon.tsx';
import { writeDay } from '../../../../../../ui/base/time.ts';
import { useUnitName } from '../../../wallet/unit-name.ts';
import { isZero } from '../../../wallet/worth.ts';
import { barHeights } from './bar-heights.ts';
import css from './entries.module.css';
import { type EntryKind, KIND_NAMES, type UnitFigures } from './entry-words.ts';
import { type ReportMonth, daysOf } from './month.ts';
import { SignedMoney } from './signed-money.tsx';

/** Month of one unit: opening, sums by kind, closing, and what sales brought by day. */
export function UnitCard({ unit, month }: { unit: UnitFigures; month: ReportMonth }): ReactNode {
  const { currency, reserve } = unit;
  const name = useUnitName()(currency);
  const hasReserve = [reserve.opening, reserve.net, reserve.closing].some((sum) => !isZero(sum));
  return (
    <section className={cx('card', css['unit'])} aria-label={name}>
      <h3 className={css['name']}>
        <Coin {...coinOf(currency)} size={28} />
        {name}
      </h3>
      <Sums unit={unit} account="balance" />
      {hasReserve && (
        <>
          <h4 className={css['account']}>{m.entries_reserve()}</h4>
          <Sums unit={unit} account="reserve" />
        </>
      )}
      <DayBars unit={unit} month={month} />
    </section>
  );
}

const ORDER = Object.keys(KIND_NAMES) as EntryKind[];

function Sums({ unit, account }: { unit: UnitFigures; account: 'balance' | 'reserve' }): ReactNode {
  const { currency, kinds } = unit;
  const { opening, net, closing } = unit[account];
  const lines = kinds?.filter((one) => one.account === account).toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  return (
    <dl className={css['sums']}>
      <div>
        <dt>{m.entries_opening()}</dt>
        <dd>
          <SignedMoney amount={opening} currency={currency} />
        </dd>
      </div>
      {lines?.map((line) => (
        <div key={line.kind}>
          <dt>{KIND_NAMES[line.kind]()}</dt>
          <dd>
            <SignedMoney amount={line.net} currency={currency} isChange />
          </dd>
        </div>
      )) ?? (
        <div>
          <dt>{m.entries_moved()}</dt>
          <dd>
            <SignedMoney amount={net} currency={currency} isChange />
          </dd>
        </div>
      )}
      <div className={css['closing']}>
        <dt>{m.entries_closing()}</dt>
        <dd>
          <SignedMoney amount={closing} currency={currency} />
        </dd>
      </div>
    </dl>
  );
}

/** Bars of what sales brought on each day. Absent for a month without sales. */
function DayBars({ unit: { currency, days }, month }: { unit: UnitFigures; month: ReportMonth }): ReactNode {
  const { locale } = useSite();
  const money = useMoneyText();
  if (!days || days.length === 0) return null;
  const received = new Map(days.map((one) => [one.day, one.received]));
  const all = daysOf(month).map((day) => ({ day, sum: received.get(day) ?? '0' }));
  const heights = barHeights(all.map(({ sum }) => sum));
  const dated = (day: string): string => writeDay(`${day}T00:00:00Z`, locale);
  return (
    <figure className={css['days']}>
      <figcaption>{m.entries_days()}</figcaption>
      <svg viewBox={`0 0 ${all.length * 10} 100`} preserveAspectRatio="none" aria-hidden="true">
        {all.map(({ day }, at) => {
          const height = heights[at] ?? 0;
          return <rect key={day} x={at * 10 + 1} y={100 - height} width={8} height={height} />;
        })}
      </svg>
      <span className={css['scale']} aria-hidden="true">
        <span>{dated(all[0]?.day ?? month)}</span>
        <span>{dated(all.at(-1)?.day ?? month)}</span>
      </span>
      <ul className="sr">
        {days.map(({ day, received: sum }) => (
          <li
            key={day}
          >{`${dated(day)}: ${sum.startsWith('-') ? '−' : ''}${money({ amount: sum.replace('-', ''), currency })}`}</li>
        ))}
      </ul>
    </figure>
  );
}
