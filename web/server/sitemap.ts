import type { Client } from '@kurs/contract/client';
import { PREFIX, PUBLIC_PAGES, type PageName, pageUrl } from '../routes/pages.ts';
import type { SiteConfig, SiteLocale, SiteResponse } from '../site.ts';
import { text } from './fixed-routes.ts';

/** Every page that search engines may keep, in each language; a direction's page for each direction that there is. */
export async function sitemap(config: SiteConfig, client: Client): Promise<SiteResponse> {
  const { directions } = await client.directions({});
  const pages = PUBLIC_PAGES.flatMap((page): { page: PageName; query: Record<string, string> }[] =>
    page === 'service' ? directions.map(({ slug }) => ({ page, query: { slug } })) : [{ page, query: {} }],
  );
  const languages = Object.keys(PREFIX) as SiteLocale[];
  const rows = pages.flatMap(({ page, query }) => {
    const addresses = languages.map((language) => [language, config.url + pageUrl(language, page, query)] as const);
    const others = addresses.map(([language, url]) => `<xhtml:link rel="alternate" hreflang="${language}" href="${url}"/>`);
    return addresses.map(([, url]) => `<url><loc>${url}</loc>${others.join('')}</url>`);
  });
  return text(
    'application/xml',
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${rows.join('\n')}\n</urlset>\n`,
  );
}
