import type { StaticHandlerContext } from 'react-router';
import { type CurrencyRow, rowOf } from '../../features/currency-rows.ts';
import type { SiteData } from '../../routes/_site/site-data.ts';
import { type PageName, pageNamed } from '../../routes/pages.ts';
import type { Head } from './document.ts';

type LoaderData = StaticHandlerContext['loaderData'];

/** Fields of the site's data that only the frame (header and footer) uses. */
const OF_FRAME = ['directions', 'ratesAt', 'legal', 'contacts', 'supportHours', 'year'] as const satisfies (keyof SiteData)[];
type OfFrame = (typeof OF_FRAME)[number];

/**
 * Site's data inside a document. Text pages (`document: 'words'`) have no currencies and no data of the frame. Pages with an entry
 * of their own have no frame.
 */
export type DocumentSite = Omit<SiteData, 'currencies' | OfFrame> &
  Partial<Pick<SiteData, OfFrame>> & { readonly currencies?: readonly CurrencyRow[] };

/**
 * Returns the part of a page's data that the document contains as JSON. From the page's `head` only the title is included: the
 * HTML already contains the rest, which may be as long as the page.
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

/**
 * Returns the site's data for a document. For a text page, currencies and the frame's data are left out: the page shows no money,
 * and the browser never renders the frame again. For a page with an entry of its own, only the frame's data is left out.
 */
function documentSiteOf(site: SiteData, page: PageName | undefined): DocumentSite {
  const { document, entry } = page === undefined ? {} : pageNamed(page);
  const shown = { ...site, currencies: site.currencies.map(rowOf) };
  if (document !== 'words' && entry === undefined) return shown;
  const left = new Set<string>(document === 'words' ? [...OF_FRAME, 'currencies'] : OF_FRAME);
  return Object.fromEntries(Object.entries(shown).filter(([name]) => !left.has(name))) as unknown as DocumentSite;
}
