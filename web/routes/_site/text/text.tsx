import type { ReactNode } from 'react';
import { useLoaderData } from 'react-router';
import { useLongText } from '../../../features/long-text.ts';
import { useSite } from '../../../features/site.ts';
import { cx } from '../../../ui/cx.ts';
import { useTitle } from '../../../ui/title.ts';
import { Main } from '../layout.tsx';
import type { TextData } from './text-data.ts';
import css from './text.module.css';

/** A page of long text: written by the server, never hydrated, and always reached by a whole navigation. */
export function TextPage(): ReactNode {
  const { head } = useLoaderData<TextData>();
  useTitle(head.title, useSite().name);
  return (
    <Main className={cx('wrap', css['page'])}>
      <div className={css['text']} dangerouslySetInnerHTML={{ __html: useLongText() }} suppressHydrationWarning />
    </Main>
  );
}
