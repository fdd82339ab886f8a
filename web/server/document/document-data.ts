import type { StaticHandlerContext } from 'react-router';
import { type CurrencyRow, rowOf } from '../../features/currency-rows.ts';
import type { SiteData } from '../../routes/_site/site-data.ts';
import { type PageName, pageNamed } from '../../routes/pages.ts';
import type { Head } from './document.ts';

type LoaderData = StaticHandlerContext['loaderData'];

/** Members of the site's data that only the frame uses. */
const OF_FRAME = ['directions', 'ratesAt', 'legal', 'contacts', 'supportHours', 'year'] as const satisfies (keyof SiteData)[];
type OfFrame = (typeof OF_FRAME)[number];

/** Data of the site in a document. Text pages (`document: 'words'`) have no currencies and no data of the frame. */
export type DocumentSite = Omit<SiteData, 'currencies' | OfFrame> &
  Partial<Pick<SiteData, OfFrame>> & { readonly currencies?: readonly CurrencyRow[] };

/**
 * Returns the part of a page's data that the document carries. Only the title of its head is included: the rest stands in the
 * document already and may be as long as the page.
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

/** Returns the site's data for a document. A text page shows no money, and its frame stays as the server rendered it. */
function documentSiteOf(site: SiteData, page: PageName | undefined): DocumentSite {
  if (page === undefined || pageNamed(page).document !== 'words') return { ...site, currencies: site.currencies.map(rowOf) };
  const left = new Set<string>([...OF_FRAME, 'currencies']);
  return Object.fromEntries(Object.entries(site).filter(([name]) => !left.has(name))) as unknown as DocumentSite;
}
