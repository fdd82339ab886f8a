import type { ReactNode } from 'react';
import { labelsOf } from '../../../features/currency.ts';
import { m } from '../../../features/words.ts';
import { useCurrency } from '../../../features/use-currency.ts';
import { Icon } from '../../../ui/base/icon.tsx';
import type { IconName } from '../../../ui/base/icons.ts';
import { Message } from '../../../ui/parts/message.tsx';
import { Slip } from '../../../ui/parts/slip.tsx';
import css from './home.module.css';
import { type LatestOrder, LatestOrders } from './latest-orders.tsx';
import { Products, Questions, Ways } from './sections.tsx';

// Parts of the home page that only the server renders. Their code is not in the browser's bundle.

/** Introduction beside the calculator. It names the pair; if no pair is offered, it is general. */
export function Intro({ pair, minutes }: { pair: { from: string; to: string } | undefined; minutes: number }): ReactNode {
  return (
    <>
      <h1 className={css['title']}>{pair ? <PairTitle {...pair} /> : m.home_head_title()}</h1>
      <p className={css['lead']}>{m.home_lead({ minutes })}</p>
      <div className="not-mobile">
        <Facts minutes={minutes} />
      </div>
    </>
  );
}

function PairTitle(pair: { from: string; to: string }): ReactNode {
  return m.home_title({ from: labelsOf(useCurrency(pair.from)).title, to: labelsOf(useCurrency(pair.to)).title });
}

/** Message that replaces the calculator if nothing can be exchanged. */
export function NoOffers(): ReactNode {
  return (
    <Slip label={m.calculator_title()}>
      <Message tone="neutral" title={m.calculator_none()}>
        {m.calculator_none_text()}
      </Message>
    </Slip>
  );
}

export function Facts({ minutes }: { minutes: number }): ReactNode {
  const facts: readonly [IconName, string, string][] = [
    ['timer', m.fact_rate_title(), m.fact_rate_text({ minutes })],
    ['arrow-u-up-left', m.fact_refund_title(), m.fact_refund_text()],
    ['list-checks', m.fact_page_title(), m.fact_page_text()],
  ];
  return (
    <ul className={css['facts']}>
      {facts.map(([icon, title, text]) => (
        <li key={icon}>
          <Icon name={icon} size={24} />
          <div>
            <b>{title}</b>
            {text}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Sections below the table of rates. */
export function Story({
  quoteMinutes,
  lockMinutes,
  latest,
  isSample,
  locale,
}: {
  quoteMinutes: number;
  lockMinutes: number;
  latest: readonly LatestOrder[];
  isSample: boolean;
  locale: 'en' | 'ru';
}): ReactNode {
  return (
    <>
      <Ways quoteMinutes={quoteMinutes} lockMinutes={lockMinutes} />
      <Products locale={locale} />
      {latest.length > 0 && <LatestOrders orders={latest} isSample={isSample} />}
      <Questions minutes={lockMinutes} />
    </>
  );
}
