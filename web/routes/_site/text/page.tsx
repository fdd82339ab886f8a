import type { ReactNode } from 'react';
import { useLoaderData } from 'react-router';
import { ServerPart } from '../../../features/server-part.tsx';
import { useSite } from '../../../features/site.ts';
import { cx } from '../../../ui/base/cx.ts';
import { useTitle } from '../../../ui/base/title.ts';
import { Main } from '../layout.tsx';
import type { TextData } from './page.server.tsx';
import css from './text.module.css';

/** Page of long text, such as the terms. Rendered by the server and always loaded as a document. */
export default function TextPage(): ReactNode {
  const { head } = useLoaderData<TextData>();
  useTitle(head.title, useSite().name);
  return (
    <Main className={cx('wrap', css['page'])}>
      <ServerPart name="text" className={css['text']} />
    </Main>
  );
}
