import type { ReactNode } from 'react';
import { useLoaderData } from 'react-router';
import blocks from '../../../features/blocks/blocks.module.css';
import { ServerPart } from '../../../features/server-part.tsx';
import { useSite } from '../../../features/site.ts';
import { cx } from '../../../ui/base/cx.ts';
import { useTitle } from '../../../ui/base/title.ts';
import { Main } from '../layout.tsx';
import type { EarnData } from './earn-data.tsx';
import css from './earn.module.css';

/** What can be earned without bringing anybody: the server's, and always loaded whole. */
export function EarnPage(): ReactNode {
  const { head } = useLoaderData<EarnData>();
  useTitle(head.title, useSite().name);
  return (
    <Main className={css['page']}>
      <div className={blocks['hero']}>
        <div className={blocks['rosette']} aria-hidden="true" />
        <div className={cx('wrap', blocks['split'], blocks['single'])}>
          <ServerPart name="intro" />
        </div>
      </div>
      <ServerPart name="story" className="below" />
    </Main>
  );
}
