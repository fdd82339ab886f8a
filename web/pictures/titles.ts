import { PUBLIC_PAGES, type PublicPage, pageUrl } from '../routes/pages.ts';
import type { Site, SiteLocale } from '../site.ts';

/** Returns the name of a page's picture among the static files. */
export const pictureName = (page: PublicPage, locale: SiteLocale): string => `${page}.${locale}.jpg`;

/** Titles of pictures that several pages share. */
const MANY: Partial<Record<PublicPage, Readonly<Record<SiteLocale, string>>>> = {
  service: { en: 'Exchange in three steps', ru: 'Обмен в три шага' },
};

/**
 * Returns the title on each page's picture, by the picture's name. It is the title for sharing of the page itself. Takes a site
 * with any data.
 */
export async function pictureTitles(site: Site): Promise<Record<string, string>> {
  const requests = PUBLIC_PAGES.flatMap((page) => (['en', 'ru'] as const).map((locale) => ({ page, locale })));
  const titles = requests.map(async ({ page, locale }) => {
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
  // In the pictures no line breaks at these places, so plain characters replace the non-breaking ones.
  return text.replaceAll('\u00a0', ' ').replaceAll('\u2011', '-');
}
