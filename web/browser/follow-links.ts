import { type DataRouter, matchRoutes } from 'react-router';
import { browserRoutes } from './routes.ts';

/**
 * Follows links between pages of one language without a reload: one listener for all of them, so that a link is a plain
 * anchor wherever it stands. `data-reload` on an anchor asks for a whole page.
 */
export function followLinks(router: DataRouter): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
    if (!link || event.defaultPrevented || isForBrowser(event) || !isOwn(link)) return;
    event.preventDefault();
    void router.navigate(link.pathname + link.search + link.hash, { replace: link.href === location.href });
  });
}

/** A new tab, a new window, a download. */
function isForBrowser({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button !== 0 || metaKey || ctrlKey || shiftKey || altKey;
}

function isOwn({ origin, pathname, search, hash, target, dataset }: HTMLAnchorElement): boolean {
  // Within a page the browser knows the way best.
  const isWithin = hash !== '' && pathname === location.pathname && search === location.search;
  const isHere = origin === location.origin && target === '' && dataset['reload'] === undefined && !isWithin;
  return isHere && languageOf(pathname) === languageOf(location.pathname) && matchRoutes(browserRoutes, pathname) !== null;
}

const languageOf = (path: string): string | undefined => path.split('/')[1];
