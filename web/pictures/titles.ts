import { PUBLIC_PAGES, type PublicPage, pageUrl } from '../routes/pages.ts';
import type { Site, SiteLocale } from '../site.ts';

/** Where a page's picture lies among the static files. */
export const pictureName = (page: PublicPage, locale: SiteLocale): string => `${page}.${locale}.jpg`;

/** What a picture says of pages of which there are many. */
const MANY: Partial<Record<PublicPage, Readonly<Record<SiteLocale, string>>>> = {
  service: { en: 'Exchange in three steps', ru: 'Обмен в три шага' },
};

/** What each page's picture says: the page's own title. Takes the site, over whatever data. */
export async function pictureTitles(site: Site): Promise<Record<string, string>> {
  const asked = PUBLIC_PAGES.flatMap((page) => (['en', 'ru'] as const).map((locale) => ({ page, locale })));
  const titles = asked.map(async ({ page, locale }) => {
    const own = MANY[page]?.[locale] ?? (await titleOf(site, pageUrl(locale, page)));
    return [pictureName(page, locale), own] as const;
  });
  return Object.fromEntries(await Promise.all(titles));
}

async function titleOf(site: Site, url: string): Promise<string> {
  const { body } = await site.handle({ method: 'GET', url, headers: {}, cookies: {} });
  const title = /<meta property="og:title" content="([^"]*)">/.exec(body)?.[1];
  if (title === undefined) throw new Error(`${url} has no title`);
  const text = title.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(+code));
  // A picture breaks no line where it must not: its font needs no space and no hyphen of that kind.
  return text.replaceAll('\u00a0', ' ').replaceAll('\u2011', '-');
}
