import type { ReactNode } from 'react';
import { useActionData, useLoaderData, useLocation } from 'react-router';
import { Calculator } from '../../../features/calculator/calculator.tsx';
import '../../../features/chart/line-chart.css';
import { useLiveDirections } from '../../../features/calculator/use-live-directions.ts';
import { ServerPart } from '../../../features/server-part.tsx';
import { useSite } from '../../../features/site.ts';
import { cx } from '../../../ui/base/cx.ts';
import { useTitle } from '../../../ui/base/title.ts';
import { Main } from '../layout.tsx';
import type { ServiceData } from './page.server.tsx';
import css from './service.module.css';

/** Page of one direction. The browser renders the calculator, the server everything else. Always loaded as a document. */
export default function ServicePage(): ReactNode {
  const { head, offered, start } = useLoaderData<ServiceData>();
  const failure = useActionData<{ readonly message: string }>();
  const live = useLiveDirections(offered);
  const { pathname } = useLocation();
  useTitle(head.title, useSite().name);
  return (
    <Main>
      <div className={css['hero']}>
        <div className={css['rosette']} aria-hidden="true" />
        <div className={cx('wrap', css['split'])}>
          <ServerPart name="intro" className={css['intro']} />
          <div className={css['calculator']}>
            <Calculator
              key={start.coupon}
              start={start}
              directions={live.directions}
              isOwn={live.isOwn}
              failure={failure?.message}
              action={pathname}
            />
          </div>
          <ServerPart name="conditions" className={css['conditions']} />
        </div>
      </div>
      <ServerPart name="story" className={cx('wrap', 'below', css['story'])} />
    </Main>
  );
}
