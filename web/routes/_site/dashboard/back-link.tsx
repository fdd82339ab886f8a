import type { ReactNode } from 'react';
import { useSite } from '../../../features/site.ts';
import { Icon } from '../../../ui/base/icon.tsx';
import { type GuardedPage, pageUrl } from '../../pages.ts';
import css from './back-link.module.css';

/** Link above a page's title that leads back to the page with the list. It isn't printed. */
export function BackLink({
  to,
  query,
  children,
}: {
  to: GuardedPage;
  query?: Readonly<Record<string, string>>;
  children: ReactNode;
}): ReactNode {
  const { locale } = useSite();
  return (
    <a className={css['back']} href={pageUrl(locale, to, query)}>
      <Icon name="arrow-left" size={16} />
      {children}
    </a>
  );
}
