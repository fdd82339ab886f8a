import type { StaticHandlerContext } from 'react-router';
import { type CurrencyRow, rowOf } from '../../features/currency-rows.ts';
import type { SiteData } from '../../routes/_site/site-data.ts';
import { type PageName, pageNamed } from '../../routes/pages.ts';
import type { Head } from './document.ts';

type LoaderData = StaticHandlerContext['loaderData'];

/** What the frame is drawn from, and nothing else. */
const OF_FRAME = ['directions', 'ratesAt', 'legal', 'contacts', 'supportHours', 'year'] as const satisfies (keyof SiteData)[];
type OfFrame = (typeof OF_FRAME)[number];

/** The site's data as a document carries them; on a page of words without what is of currencies or of the frame. */
export type DocumentSite = Omit<SiteData, 'currencies' | OfFrame> &
  Partial<Pick<SiteData, OfFrame>> & { readonly currencies?: readonly CurrencyRow[] };

/**
 * What the browser is told of all that a page was rendered from. Of its head the title alone: the rest stands in the
 * document, and may be as long as the page.
 */
export function documentDataOf(loaderData: LoaderData, page: PageName | undefined): LoaderData {
  return Object.fromEntries(
    Object.entries(loaderData).map(([route, loaded]: [string, { head?: Head } | SiteData | null]) => {
      if (route === 'site' && loaded !== null) return [route, documentSiteOf(loaded as SiteData, page)];
      const head = (loaded as { head?: Head } | null)?.head;
      return [route, head ? { ...loaded, head: { title: head.title } } : loaded];
    }),
  );
}

/** A page of words shows no money, and its frame stays as the server drew it. */
function documentSiteOf(site: SiteData, page: PageName | undefined): DocumentSite {
  if (page === undefined || pageNamed(page).document !== 'words') return { ...site, currencies: site.currencies.map(rowOf) };
  const left = new Set<string>([...OF_FRAME, 'currencies']);
  return Object.fromEntries(Object.entries(site).filter(([name]) => !left.has(name))) as unknown as DocumentSite;
}
