import { matchRoutes } from 'react-router';
import { accessToken } from '../features/account/access-token.ts';
import { type PageName, pageNamed } from '../routes/pages.ts';
import { browserRoutes } from './routes.ts';

const AT_ONCE = 4;

/**
 * Fetches what visible links lead to before anybody follows them, four at a time, each once: of a page that is always
 * loaded whole its document, of another its code. Not where data is to be saved, and nothing of the dashboard for somebody
 * who is not signed in: they would be asked to sign in first.
 */
export function prefetchLinks(): void {
  const { saveData, effectiveType } =
    (navigator as { connection?: { saveData?: boolean; effectiveType?: string } }).connection ?? {};
  if (saveData || effectiveType === 'slow-2g' || effectiveType === '2g') return;
  const known = new Set([location.pathname]);
  const waiting: string[] = [];
  let running = 0;
  const next = (): void => {
    const path = running < AT_ONCE ? waiting.shift() : undefined;
    if (path === undefined) return;
    running += 1;
    void fetchPage(path).finally(() => {
      running -= 1;
      next();
    });
    next();
  };
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      const { origin, pathname, search } = target as HTMLAnchorElement;
      if (origin !== location.origin || search !== '' || known.has(pathname)) continue;
      known.add(pathname);
      waiting.push(pathname);
    }
    next();
  });
  const watch = (): void => {
    for (const link of document.querySelectorAll('a[href^="/"]:not([rel=nofollow])')) seen.observe(link);
  };
  watch();
  // Links of pages that come later, without a load.
  new MutationObserver(watch).observe(document.getElementById('app') ?? document.body, { childList: true, subtree: true });
}

/**
 * Whether a document that is fetched ahead is allowed and of use: where speculation rules are known it is judged by the
 * whole policy and kept for minutes. Firefox judges it by `default-src` alone, which lets nothing in, and would ask anew.
 */
const keepsDocuments = (): boolean => HTMLScriptElement.supports?.('speculationrules') === true;

async function fetchPage(path: string): Promise<void> {
  const routes = matchRoutes(browserRoutes, path)?.map(({ route }) => route) ?? [];
  const page = routes.at(-1);
  if (page === undefined || page.id === 'missing' || !navigator.onLine) return;
  if (pageNamed(page.id as PageName).guard !== undefined && accessToken() === null) return;
  const { whole } = (page.handle ?? {}) as { whole?: boolean };
  if (whole) await (keepsDocuments() ? asDocument(path) : undefined);
  // The frame that a page stands in is code of its own.
  else await Promise.allSettled(routes.map(({ lazy }) => (typeof lazy === 'function' ? lazy() : undefined)));
}

/** Ends whatever comes of it: what could not be fetched now is fetched when it is needed. */
function asDocument(href: string): Promise<unknown> {
  const link = Object.assign(document.createElement('link'), { rel: 'prefetch', href });
  const ended = new Promise((done) => {
    link.addEventListener('load', done);
    link.addEventListener('error', done);
  });
  document.head.append(link);
  return ended;
}
