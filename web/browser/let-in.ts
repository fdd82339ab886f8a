import { matchRoutes } from 'react-router';
import { type PageName, othersOf } from '../routes/pages.ts';
import type { SiteData } from '../routes/_site/site-data.ts';
import { browserRoutes } from './routes.ts';

const pageAt = (path: string): PageName | undefined => {
  const id = matchRoutes(browserRoutes, path)?.at(-1)?.route.id;
  return id === 'missing' ? undefined : (id as PageName | undefined);
};

/**
 * Page for which this document was loaded. The document keeps the content security policy of that page, even after navigation to
 * another page.
 */
export const LOADED_AS = pageAt(location.pathname);

/**
 * True if a page loads third-party scripts that this document's content security policy forbids. Such a page must be loaded as a
 * document.
 */
export function opensMore({ google, botCheck }: Pick<SiteData, 'google' | 'botCheck'>, path: string): boolean {
  const scripts = { google: google?.script, botCheck: botCheck?.script };
  return othersOf(pageAt(path)).some(
    // The chat is offered only on the page for which the document was loaded, so it never requires another document.
    (other) => other !== 'chat' && scripts[other]?.startsWith('/') === false && !othersOf(LOADED_AS).includes(other),
  );
}
