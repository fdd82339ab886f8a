import { matchRoutes } from 'react-router';
import { accessToken } from '../features/account/access-token.ts';
import { type PageName, pageNamed } from '../routes/pages.ts';
import { browserRoutes } from './routes.ts';

const BATCH_SIZE = 4;

/**
 * Prefetches the target of each visible link once, four at a time. If the target is always loaded as a document, the document is
 * fetched, otherwise the page's code. Does nothing if the browser saves data. For visitors, skips the dashboard, since they have
 * to sign in first.
 */
export function prefetchLinks(): void {
  const { saveData, effectiveType } =
    (navigator as { connection?: { saveData?: boolean; effectiveType?: string } }).connection ?? {};
  if (saveData || effectiveType === 'slow-2g' || effectiveType === '2g') return;
  const known = new Set([location.pathname]);
  const waiting: string[] = [];
  let running = 0;
  const next = (): void => {
    const path = running < BATCH_SIZE ? waiting.shift() : undefined;
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
  // Watches also the links of pages to which the visitor navigates later without loading a document.
  new MutationObserver(watch).observe(document.getElementById('app') ?? document.body, { childList: true, subtree: true });
}

/**
 * True if the browser allows a document to be prefetched and then uses it. Browsers with speculation rules check such a request
 * against the whole content security policy, and cache the document for minutes. Firefox checks only `default-src`, which allows
 * nothing, and would fetch the document again.
 */
const keepsDocuments = (): boolean => HTMLScriptElement.supports?.('speculationrules') === true;

async function fetchPage(path: string): Promise<void> {
  const routes = matchRoutes(browserRoutes, path)?.map(({ route }) => route) ?? [];
  const page = routes.at(-1);
  if (page === undefined || page.id === 'missing' || !navigator.onLine) return;
  if (pageNamed(page.id as PageName).guard !== undefined && accessToken() === null) return;
  const { isWhole } = (page.handle ?? {}) as { isWhole?: boolean };
  if (isWhole) await (keepsDocuments() ? asDocument(path) : undefined);
  // Fetches the code of all matched routes: besides the page, the dashboard's frame has code.
  else await Promise.allSettled(routes.map(({ lazy }) => (typeof lazy === 'function' ? lazy() : undefined)));
}

/** Prefetches a document. Resolves also if that fails: the document is then fetched when the visitor opens it. */
function asDocument(href: string): Promise<unknown> {
  const link = Object.assign(document.createElement('link'), { rel: 'prefetch', href });
  const ended = new Promise((done) => {
    link.addEventListener('load', done);
    link.addEventListener('error', done);
  });
  document.head.append(link);
  return ended;
}
