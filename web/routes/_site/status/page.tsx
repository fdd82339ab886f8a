import type { ReactNode } from 'react';
import { useLoaderData } from 'react-router';
import { ServerPart } from '../../../features/server-part.tsx';
import { useSite } from '../../../features/site.ts';
import message from '../../../ui/parts/message.module.css';
import { cx } from '../../../ui/base/cx.ts';
import { useTitle } from '../../../ui/base/title.ts';
import { Main } from '../layout.tsx';
import type { StatusData } from './page.server.tsx';
import css from './status.module.css';

/** Page with the status of the rails. Rendered by the server and always loaded as a document. */
export default function StatusPage(): ReactNode {
  const { head } = useLoaderData<StatusData>();
  useTitle(head.title, useSite().name);
  return (
    <Main>
      <ServerPart name="status" className={cx('wrap', css['page'], message['page'])} />
    </Main>
  );
}
