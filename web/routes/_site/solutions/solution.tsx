import { type ReactNode, useEffect } from 'react';
import { useLoaderData } from 'react-router';
import blocks from '../../../features/blocks/blocks.module.css';
import { ServerPart } from '../../../features/server-part.tsx';
import { useSite } from '../../../features/site.ts';
import '../../../ui/fields/button.module.css';
import { cx } from '../../../ui/base/cx.ts';
import { useTitle } from '../../../ui/base/title.ts';
import { Main } from '../layout.tsx';
import { listenForCopying } from './copying.ts';
import type { SolutionData } from './solution-data.ts';
import css from './solutions.module.css';
import { showUnits } from './units.ts';

/**
 * Page about one solution, such as the wallet. Rendered by the server and always loaded as a document; a script adds the copy
 * buttons and the units.
 */
export function SolutionPage(): ReactNode {
  const { head } = useLoaderData<SolutionData>();
  useTitle(head.title, useSite().name);
  useEffect(listenForCopying, []);
  useEffect(showUnits, []);
  return (
    <Main className={css['page']}>
      <ServerPart name="page" className={cx(blocks['beside'], css['whole'])} />
    </Main>
  );
}
