import { type DataRouter, matchRoutes } from 'react-router';
import { browserRoutes } from './routes.ts';

/**
 * Follows links between pages of one language without loading a document. One listener serves all links, so a link is a plain
 * anchor. `data-reload` on an anchor loads a document.
 */
export function followLinks(router: DataRouter): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
    if (!link || event.defaultPrevented || isForBrowser(event) || !isOwn(link)) return;
    event.preventDefault();
    void router.navigate(link.pathname + link.search + link.hash, { replace: link.href === location.href });
  });
}

/** True if the browser shall handle the click: a new tab, a new window or a download. */
function isForBrowser({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button !== 0 || metaKey || ctrlKey || shiftKey || altKey;
}

function isOwn({ origin, pathname, search, hash, target, dataset }: HTMLAnchorElement): boolean {
  // The browser handles links within a page.
  const isWithin = hash !== '' && pathname === location.pathname && search === location.search;
  const isHere = origin === location.origin && target === '' && dataset['reload'] === undefined && !isWithin;
  return isHere && languageOf(pathname) === languageOf(location.pathname) && matchRoutes(browserRoutes, pathname) !== null;
}

const languageOf = (path: string): string | undefined => path.split('/')[1];
