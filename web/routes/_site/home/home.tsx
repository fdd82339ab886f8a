import type { ReactElement, ReactNode } from 'react';
import { useActionData, useLoaderData } from 'react-router';
import { Calculator } from '../../../features/calculator/calculator.tsx';
import { useLiveDirections } from '../../../features/calculator/use-live-directions.ts';
import { labelsOf } from '../../../features/currency.ts';
import { useCurrency } from '../../../features/use-currency.ts';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { cx } from '../../../ui/cx.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { IconName } from '../../../ui/icons.ts';
import { Message } from '../../../ui/message.tsx';
import { Slip } from '../../../ui/slip.tsx';
import { Still } from '../../../ui/still.ts';
import { useTitle } from '../../../ui/title.ts';
import { pageUrl } from '../../pages.ts';
import { Main } from '../layout.tsx';
import { Directions } from './directions.tsx';
import type { HomeData } from './home-data.ts';
import css from './home.module.css';
import { LatestOrders } from './latest-orders.tsx';
import { Questions, Ways } from './sections.tsx';

export function HomePage(): ReactNode {
  const data = useLoaderData<HomeData>();
  const site = useSite();
  const failure = useActionData<{ readonly message: string }>();
  const live = useLiveDirections(data.offered);
  useTitle(data.head.title, site.name);
  const from = labelsOf(useCurrency(data.start.from)).title;
  const to = labelsOf(useCurrency(data.start.to)).title;
  const offered = live.directions.length > 0;
  // A new start (another direction in the address) makes a new calculator; live rates don't.
  const startKey = [data.start.from, data.start.to, data.start.side, data.start.amount].join(' ');
  return (
    <Main>
      <div className={css['hero']}>
        <div className={css['rosette']} aria-hidden="true" />
        <div className={cx('wrap', css['split'])}>
          <div>
            <h1 className={css['title']}>{offered ? m.home_title({ from, to }) : m.home_head_title()}</h1>
            <p className={css['lead']}>{m.home_lead({ minutes: data.lockMinutes })}</p>
            <Still of={Facts} given={{ minutes: data.lockMinutes, className: 'not-mobile' }} />
          </div>
          {offered ? (
            <Calculator
              key={startKey}
              start={data.start}
              directions={live.directions}
              failure={failure?.message}
              action={`${pageUrl(site.locale, 'home')}?index`}
            />
          ) : (
            <Slip label={m.calculator_title()}>
              <Message tone="neutral" title={m.calculator_none()}>
                {m.calculator_none_text()}
              </Message>
            </Slip>
          )}
          <Still of={Facts} given={{ minutes: data.lockMinutes, className: 'only-mobile' }} />
        </div>
      </div>
      <div className="wrap">
        {offered && (
          <Still
            of={Directions}
            given={{
              directions: live.directions,
              rows: data.table,
              count: data.count,
              ratesAt: live.ratesAt,
              seeded: data.ratesSeeded,
            }}
          />
        )}
        <Still of={Ways} given={{ quoteMinutes: data.quoteMinutes, lockMinutes: data.lockMinutes }} />
        {data.latestOrders.length > 0 && (
          <Still of={LatestOrders} given={{ orders: data.latestOrders, sample: site.mode === 'sandbox' }} />
        )}
        <Still of={Questions} given={{ minutes: data.lockMinutes }} />
      </div>
    </Main>
  );
}

function Facts({ minutes, className }: { minutes: number; className: string }): ReactElement {
  const facts: readonly [IconName, string, string][] = [
    ['timer', m.fact_rate_title(), m.fact_rate_text({ minutes })],
    ['arrow-u-up-left', m.fact_refund_title(), m.fact_refund_text()],
    ['list-checks', m.fact_page_title(), m.fact_page_text()],
  ];
  return (
    <ul className={cx(css['facts'], className)}>
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
