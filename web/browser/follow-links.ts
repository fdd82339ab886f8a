import { type DataRouter, matchRoutes } from 'react-router';
import { browserRoutes } from './routes.ts';

/**
 * Follows links between pages of one language without loading a document. One listener serves all links, so pages use plain `<a>`
 * elements. A link with `data-reload` loads a document.
 */
export function followLinks(router: DataRouter): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
    if (!link || event.defaultPrevented || isForBrowser(event) || !isOwn(link)) return;
    event.preventDefault();
    void router.navigate(link.pathname + link.search + link.hash, { replace: link.href === location.href });
  });
}

/** True if the browser shall handle the click itself, to open a tab or a window, or to download. */
function isForBrowser({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button !== 0 || metaKey || ctrlKey || shiftKey || altKey;
}

function isOwn({ origin, pathname, search, hash, target, dataset }: HTMLAnchorElement): boolean {
  // The browser itself follows a link to another place on the same page.
  const isWithin = hash !== '' && pathname === location.pathname && search === location.search;
  const isHere = origin === location.origin && target === '' && dataset['reload'] === undefined && !isWithin;
  return isHere && languageOf(pathname) === languageOf(location.pathname) && matchRoutes(browserRoutes, pathname) !== null;
}

const languageOf = (path: string): string | undefined => path.split('/')[1];
