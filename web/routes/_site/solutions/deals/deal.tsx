import type { ReactNode } from 'react';
import { useActionData, useLoaderData, useLocation } from 'react-router';
import blocks from '../../../../features/blocks/blocks.module.css';
import { Calculator } from '../../../../features/calculator/calculator.tsx';
import { useLiveDirections } from '../../../../features/calculator/use-live-directions.ts';
import { ServerPart } from '../../../../features/server-part.tsx';
import { useSite } from '../../../../features/site.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { useTitle } from '../../../../ui/base/title.ts';
import { Main } from '../../layout.tsx';
import type { DealData } from './deal-data.ts';
import css from '../solutions.module.css';

/**
 * Page about exchanges of one kind of money. The browser renders the calculator, the server everything else. Always loaded as a
 * document.
 */
export function DealPage(): ReactNode {
  const { head, offered, start } = useLoaderData<DealData>();
  const failure = useActionData<{ readonly message: string }>();
  const live = useLiveDirections(offered);
  const { pathname } = useLocation();
  useTitle(head.title, useSite().name);
  return (
    <Main className={css['page']}>
      <div className={blocks['hero']}>
        <div className={blocks['rosette']} aria-hidden="true" />
        <div className={cx('wrap', blocks['split'])}>
          <ServerPart name="intro" />
          <div className={blocks['beside']}>
            {start && (
              <Calculator
                key={start.coupon}
                start={start}
                directions={live.directions}
                isOwn={live.isOwn}
                failure={failure?.message}
                action={pathname}
              />
            )}
          </div>
        </div>
      </div>
      <ServerPart name="story" className="below" />
    </Main>
  );
}
