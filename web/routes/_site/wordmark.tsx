import type { ReactNode } from 'react';
import { pageUrl } from '../pages.ts';
import css from './layout.module.css';
import type { SiteData } from './site-data.ts';

/** Logo and name of the desk, linked to the home page. */
export function Wordmark({ site, children }: { site: SiteData; children: ReactNode }): ReactNode {
  return (
    <a className={css['wordmark']} href={pageUrl(site.locale, 'home')}>
      {children}
      <span>{site.name}</span>
    </a>
  );
}
