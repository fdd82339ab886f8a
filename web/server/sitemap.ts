import type { Client } from '@kurs/contract/client';
import { PAGES, PREFIX, PUBLIC_PAGES, type PageName, pageUrl } from '../routes/pages.ts';
import type { SiteConfig, SiteLocale, SiteResponse } from '../site.ts';
import { text } from './small-files.ts';
import { dateOfText } from './texts.ts';

const WORDS = import.meta.glob<string>('../content/*/en-US.json', { import: 'updated', eager: true });

/** Pages that show rates change with them; those of the interface's words changed last on a day that stands here. */
const LIVE: ReadonlySet<PageName> = new Set(['home', 'rates', 'service']);
const CHANGED: Partial<Record<PageName, string>> = { track: '2026-11-21', verify: '2026-11-22' };

/** When a page changed last: its words, or the rates that it shows. */
function changedAt(page: PageName, ratesAt: string | undefined): string | undefined {
  const folder = PAGES[page].path.split('/').at(-1) ?? '';
  if (LIVE.has(page)) return ratesAt;
  return CHANGED[page] ?? WORDS[`../content/${folder}/en-US.json`] ?? dateOfText(folder);
}

/** Every page that search engines may keep, in each language; a direction's page for each direction that there is. */
export async function sitemap(config: SiteConfig, client: Client): Promise<SiteResponse> {
  const { directions, rates_at: ratesAt } = await client.directions({});
  const pages = PUBLIC_PAGES.flatMap((page): { page: PageName; query: Record<string, string> }[] =>
    page === 'service' ? directions.map(({ slug }) => ({ page, query: { slug } })) : [{ page, query: {} }],
  );
  const languages = Object.keys(PREFIX) as SiteLocale[];
  const rows = pages.flatMap(({ page, query }) => {
    const at = changedAt(page, ratesAt);
    const date = at === undefined ? '' : `<lastmod>${at}</lastmod>`;
    const addresses = languages.map((language) => [language, config.url + pageUrl(language, page, query)] as const);
    const others = addresses.map(([language, url]) => `<xhtml:link rel="alternate" hreflang="${language}" href="${url}"/>`);
    return addresses.map(([, url]) => `<url><loc>${url}</loc>${date}${others.join('')}</url>`);
  });
  return text(
    'application/xml',
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${rows.join('\n')}\n</urlset>\n`,
  );
}
