import type { ReactNode } from 'react';
import { useActionData, useLoaderData } from 'react-router';
import { Calculator } from '../../../features/calculator/calculator.tsx';
import { useLiveDirections } from '../../../features/calculator/use-live-directions.ts';
import { ServerPart } from '../../../features/server-part.tsx';
import { useSite } from '../../../features/site.ts';
import { cx } from '../../../ui/base/cx.ts';
import { useTitle } from '../../../ui/base/title.ts';
import { pageUrl } from '../../pages.ts';
import { Main } from '../layout.tsx';
import { Directions } from './directions.tsx';
import type { HomeData } from './page.server.tsx';
import css from './home.module.css';
import latest from './latest-orders.module.css';
import sections from './sections.module.css';

/** Home page. The browser renders the calculator and the live rates, the server everything else. Always loaded as a document. */
export default function HomePage(): ReactNode {
  const data = useLoaderData<HomeData>();
  const site = useSite();
  const failure = useActionData<{ readonly message: string }>();
  const live = useLiveDirections(data.offered);
  useTitle(data.head.title, site.name);
  const offered = live.directions.length > 0;
  // Another pair or amount in the URL starts a new calculator. New rates don't.
  const startKey = [data.start.from, data.start.to, data.start.side, data.start.amount, data.start.coupon].join(' ');
  return (
    <Main>
      <div className={css['hero']}>
        <div className={css['rosette']} aria-hidden="true" />
        <div className={cx('wrap', css['split'])}>
          <ServerPart name="intro" />
          {offered ? (
            <Calculator
              key={startKey}
              start={data.start}
              directions={live.directions}
              isOwn={live.isOwn}
              failure={failure?.message}
              action={`${pageUrl(site.locale, 'home')}?index`}
            />
          ) : (
            <ServerPart name="none" />
          )}
          <ServerPart name="facts" className="only-mobile" />
        </div>
      </div>
      <div className="wrap">
        {offered && (
          <Directions
            directions={live.directions}
            first={data.offered.directions}
            rows={data.rows}
            count={data.count}
            ratesAt={live.ratesAt}
            isSeeded={data.hasSeededRates}
          />
        )}
        <ServerPart name="story" className={cx('below', sections['story'], latest['story'])} />
      </div>
    </Main>
  );
}
