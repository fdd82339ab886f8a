import type { ReactNode } from 'react';
import { Outlet, ScrollRestoration, useMatches, useRouteLoaderData } from 'react-router';
import { m } from '../../features/words.ts';
import { LocaleProvider } from '../../ui/locale.ts';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import css from './layout.module.css';
import type { SiteData } from './site-data.ts';

/** The frame of the site: header, the page, footer. In the flow the header is reduced. */
export function SiteLayout(): ReactNode {
  const site = useRouteLoaderData('site') as SiteData;
  const handle = useMatches().at(-1)?.handle as { header?: 'full' | 'reduced' } | undefined;
  return (
    <LocaleProvider value={site.locale}>
      <a className={css['skip']} href="#main">
        {m.skip_link()}
      </a>
      <Header site={site} reduced={handle?.header === 'reduced'} />
      <Outlet />
      <Footer site={site} />
      <ScrollRestoration />
    </LocaleProvider>
  );
}

/** The landmark that every page's content stands in. */
export function Main({ children, className }: { children: ReactNode; className?: string | undefined }): ReactNode {
  return (
    <main id="main" tabIndex={-1} className={className}>
      {children}
    </main>
  );
}
