import { type ReactNode, createContext, useContext, useLayoutEffect, useRef } from 'react';
import { Outlet, ScrollRestoration, useLocation, useMatches, useRouteLoaderData } from 'react-router';
import { SiteProvider } from '../../features/site.ts';
import { LocaleProvider } from '../../ui/base/locale.ts';
import footer from './footer.module.css';
import { FramePart } from './frame-parts.tsx';
import { Header } from './header.tsx';
import css from './layout.module.css';
import type { SiteData } from './site-data.ts';
import { SkipLink } from './skip-link.tsx';

/**
 * Frame of the site: header, page and footer. During an exchange the header has fewer links. The dashboard has a frame of its
 * own.
 */
export function SiteLayout(): ReactNode {
  const site = useRouteLoaderData('site') as SiteData;
  const handle = useMatches().at(-1)?.handle as { header?: 'full' | 'reduced' | 'none' } | undefined;
  useFocusOnArrival();
  return (
    <LocaleProvider value={site.locale}>
      <SiteProvider value={site}>
        <SkipLink />
        {handle?.header === 'none' ? (
          <Outlet />
        ) : (
          <Framed site={site} isReduced={handle?.header === 'reduced'}>
            <Outlet />
          </Framed>
        )}
        <ScrollRestoration />
      </SiteProvider>
    </LocaleProvider>
  );
}

/** Public frame around the given content. */
export function Framed({
  site,
  isReduced = false,
  children,
}: {
  site: SiteData;
  isReduced?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <>
      <div className={css['screen']}>
        <Header site={site} isReduced={isReduced} />
        {children}
      </div>
      <FramePart of="Footer" as="footer" site={site} className={footer['footer']} />
    </>
  );
}

/**
 * Moves the focus to a page that is shown without loading a document, so that screen readers and keys start at its content. For a
 * loaded document, the browser does that. The focus moves during the render and never later, because somebody may already be
 * typing.
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

/** Context provider for a frame that has a `main` landmark. `Main` inside it then adds no second one. */
export const InsideMain = Inside.Provider;

/** Landmark `main` around a page's content. */
export function Main({ children, className }: { children: ReactNode; className?: string | undefined }): ReactNode {
  if (useContext(Inside)) return <div className={className}>{children}</div>;
  return (
    <main id="main" tabIndex={-1} className={className}>
      {children}
    </main>
  );
}
