import { type ReactNode, createContext, useContext, useLayoutEffect, useRef } from 'react';
import { Outlet, ScrollRestoration, useLocation, useMatches, useRouteLoaderData } from 'react-router';
import { m } from '../../features/words.ts';
import { LocaleProvider } from '../../ui/base/locale.ts';
import footer from './footer.module.css';
import { FramePart } from './frame-parts.tsx';
import { Header } from './header.tsx';
import css from './layout.module.css';
import type { SiteData } from './site-data.ts';

/** The frame of the site: header, the page, footer. In the flow the header is reduced; the dashboard has a frame of its own. */
export function SiteLayout(): ReactNode {
  const site = useRouteLoaderData('site') as SiteData;
  const handle = useMatches().at(-1)?.handle as { header?: 'full' | 'reduced' | 'none' } | undefined;
  useFocusOnArrival();
  return (
    <LocaleProvider value={site.locale}>
      <a className={css['skip']} href="#main">
        {m.skip_link()}
      </a>
      {handle?.header === 'none' ? (
        <Outlet />
      ) : (
        <Framed site={site} reduced={handle?.header === 'reduced'}>
          <Outlet />
        </Framed>
      )}
      <ScrollRestoration />
    </LocaleProvider>
  );
}

/** The default layout around some content. */
export function Framed({
  site,
  reduced = false,
  children,
}: {
  site: SiteData;
  reduced?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <>
      <div className={css['screen']}>
        <Header site={site} reduced={reduced} />
        {children}
      </div>
      <FramePart of="Footer" as="footer" site={site} className={footer['footer']} />
    </>
  );
}

/**
 * A page that comes without a load takes the focus, as a loaded one does: readers and keys begin at its content. It does so
 * in the moment in which it stands there, never later: somebody may be typing in it by then.
 */
function useFocusOnArrival(): void {
  const { pathname, search } = useLocation();
  const address = pathname + search;
  const shown = useRef(address);
  useLayoutEffect(() => {
    if (shown.current === address) return;
    shown.current = address;
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [address]);
}

const Inside = createContext(false);

/** Of a frame that has the landmark already: what stands in it has none of its own. */
export const InsideMain = Inside.Provider;

/** The landmark that every page's content stands in. */
export function Main({ children, className }: { children: ReactNode; className?: string | undefined }): ReactNode {
  if (useContext(Inside)) return <div className={className}>{children}</div>;
  return (
    <main id="main" tabIndex={-1} className={className}>
      {children}
    </main>
  );
}
