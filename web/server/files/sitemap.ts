import type { Client } from '@kurs/contract/client';
import { PREFIX, PUBLIC_PAGES, type PublicPage, pageNamed, pageUrl } from '../../routes/pages.ts';
import type { SiteConfig, SiteLocale, SiteResponse } from '../../site.ts';
import { text } from './small-files.ts';
import { dateOfText } from '../document/texts.ts';

const WORDS = import.meta.glob<string>('../../content/*/*.json', { import: 'updated', eager: true });
const FILE_OF = { en: 'en-US', ru: 'ru-RU' } as const satisfies Record<SiteLocale, string>;

/**
 * Returns the last day on which a page changed in a language: its texts, or the settings of the directions on the page (`shown`).
 * Changes of rates are left out: they happen all the time, and a date that is always today says nothing.
 */
function changedOn(page: PublicPage, locale: SiteLocale, shown: readonly (string | undefined)[]): string | undefined {
  const { path, sitemap: { changed } = {} } = pageNamed(page);
  const folder = path.split('/').at(-1) ?? '';
  const words = changed ?? WORDS[`../../content/${folder}/${FILE_OF[locale]}.json`] ?? dateOfText(folder, locale);
  return [words, ...shown.map((at) => at?.slice(0, '2026-11-23'.length))]
    .filter((day) => day !== undefined)
    .sort()
    .at(-1);
}

/** Returns the sitemap: every public page in each language, and a page for each direction. */
export async function sitemap(config: SiteConfig, client: Client): Promise<SiteResponse> {
  const { directions } = await client.directions({});
  const changes = directions.map(({ changed_at: at }) => at);
  const pages = PUBLIC_PAGES.flatMap((page): { page: PublicPage; query: Record<string, string>; shown: typeof changes }[] =>
    page === 'service'
      ? directions.map(({ slug, changed_at: at }) => ({ page, query: { slug }, shown: [at] }))
      : [{ page, query: {}, shown: pageNamed(page).sitemap?.hasDirections ? changes : [] }],
  );
  const languages = Object.keys(PREFIX) as SiteLocale[];
  const rows = pages.flatMap(({ page, query, shown }) => {
    const address = (language: SiteLocale): string => config.url + pageUrl(language, page, query);
    const others = [...languages.map((language) => [language, language] as const), ['x-default', 'en'] as const].map(
      ([name, language]) => `<xhtml:link rel="alternate" hreflang="${name}" href="${address(language)}"/>`,
    );
    return languages.map((language) => {
      const day = changedOn(page, language, shown);
      const date = day === undefined ? '' : `<lastmod>${day}</lastmod>`;
      return `<url><loc>${address(language)}</loc>${date}${others.join('')}</url>`;
    });
  });
  return text(
    'application/xml',
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${rows.join('\n')}\n</urlset>\n`,
  );
}
