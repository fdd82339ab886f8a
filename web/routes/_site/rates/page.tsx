import type { ReactNode } from 'react';
import { useLoaderData } from 'react-router';
import { ServerPart } from '../../../features/server-part.tsx';
import { useSite } from '../../../features/site.ts';
import '../../../features/money.module.css';
import '../../../ui/fields/button.module.css';
import { cx } from '../../../ui/base/cx.ts';
import { useTitle } from '../../../ui/base/title.ts';
import { Main } from '../layout.tsx';
import type { RatesData } from './page.server.tsx';
import css from './rates.module.css';

/** Page of all directions with their rates. Rendered by the server and always loaded as a document, together with its styles. */
export default function RatesPage(): ReactNode {
  const { head } = useLoaderData<RatesData>();
  useTitle(head.title, useSite().name);
  return (
    <Main className={cx('wrap', css['page'])}>
      <ServerPart name="list" />
    </Main>
  );
}
