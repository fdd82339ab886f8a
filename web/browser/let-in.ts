import { matchRoutes } from 'react-router';
import { type PageName, othersOf } from '../routes/pages.ts';
import type { SiteData } from '../routes/_site/site-data.ts';
import { browserRoutes } from './routes.ts';

const pageAt = (path: string): PageName | undefined => {
  const id = matchRoutes(browserRoutes, path)?.at(-1)?.route.id;
  return id === 'missing' ? undefined : (id as PageName | undefined);
};

/** Page that this document was loaded as. Its content security policy holds as long as the document is shown. */
export const LOADED_AS = pageAt(location.pathname);

/**
 * True if a page loads third-party scripts that this document's content security policy forbids. Such a page needs a document of
 * its own.
 */
export function opensMore({ google, botCheck }: Pick<SiteData, 'google' | 'botCheck'>, path: string): boolean {
  const scripts = { google: google?.script, botCheck: botCheck?.script };
  return othersOf(pageAt(path)).some(
    // The chat is offered on the page that the document was loaded as, and on no other.
    (other) => other !== 'chat' && scripts[other]?.startsWith('/') === false && !othersOf(LOADED_AS).includes(other),
  );
}
