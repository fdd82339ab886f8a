import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { pageUrl } from '../pages.ts';
import css from './layout.module.css';
import type { SiteData } from './site-data.ts';

/** The name of the site, which leads home. */
export function Wordmark({ site, children }: { site: SiteData; children: ReactNode }): ReactNode {
  return (
    <Link className={css['wordmark']} to={pageUrl(site.locale, 'home')}>
      {children}
      <span>{site.name}</span>
    </Link>
  );
}
