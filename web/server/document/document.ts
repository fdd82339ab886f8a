import { PREFIX, type PageName, isPublic } from '../../routes/pages.ts';
import type { SiteConfig, SiteLocale } from '../../site.ts';
import type { Assets } from './assets.ts';
import type { Theme } from '../routing/visit.ts';

/** Characters of a title, the desk's name included, that search engines show. */
const LONGEST_TITLE = 65;

/** The first of some titles that stands whole beside the desk's name where pages are listed; the last where none does. */
export function fittingTitle(titles: readonly [string, ...string[]], name: string): string {
  return titles.find((title) => `${title} · ${name}`.length <= LONGEST_TITLE) ?? (titles.at(-1) as string);
}

/** What a page says about itself. Every loader of a page gives one. */
export interface Head {
  readonly title: string;
  readonly description?: string;
  /** In place of the title where the page is shared: the title of a page of one person's may tell of them. */
  readonly shared?: string;
  /** Reload after so many seconds where no script runs. Not while something is to be typed. */
  readonly refresh?: number;
  /** A public page at an address that search engines are to keep away from: one of very many. */
  readonly unlisted?: true;
  /** Structured data (schema.org). */
  readonly jsonLd?: object;
}

export interface DocumentParts {
  readonly assets: Assets;
  readonly config: SiteConfig;
  readonly locale: SiteLocale;
  readonly theme: Theme;
  /** Undefined for an error page. */
  readonly page: PageName | undefined;
  /** The page's address behind its language, without a query: `/track`. */
  readonly path: string;
  readonly head: Head;
  /** The page's HTML and the data that it was rendered from. */
  readonly html: string;
  readonly data: object;
}

/** Returns the whole document. Its last script, `begin`, fetches the other modules; the first of these is the entry. */
export function renderDocument({ assets, config, locale, theme, page, path, head, html, data }: DocumentParts): string {
  const files = assets.pages[locale][page ?? 'home'];
  const isListed = page !== undefined && isPublic(page) && !head.unlisted;
  return `<!doctype html>
<html lang="${locale}" data-theme="${theme}" data-build="${assets.buildId}" data-client="${escape(config.clientId)}"${config.api === undefined ? '' : ` data-api="${escape(config.api)}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(head.title)} · ${escape(config.name)}</title>
${head.description === undefined ? '' : `<meta name="description" content="${escape(head.description)}">`}
${assets.fonts[locale].map((href) => `<link rel="preload" href="${href}" as="font" type="font/woff2" crossorigin>`).join('')}
<style>${files.css}</style>
${files.stylesheets.map((href) => `<link rel="stylesheet" href="${href}" disabled>`).join('')}
<link rel="icon" href="/favicon.ico" sizes="32x32"><link rel="icon" href="${assets.favicon}" type="image/svg+xml"><link rel="apple-touch-icon" href="/apple-touch-icon.png"><link rel="manifest" href="/manifest.webmanifest">
<meta name="theme-color" content="${theme === 'dark' ? '#101616' : '#fafaf7'}">
${isListed ? '' : '<meta name="robots" content="noindex">'}${isListed || isReturn(page) ? linksOf(config, locale, { page, path, head }) : ''}
${head.refresh === undefined ? '' : `<noscript><meta http-equiv="refresh" content="${head.refresh}"></noscript>`}
</head>
<body>
<div id="app">${html}</div>
<script type="application/json" id="data">${escapeJson(data)}</script>
<script type="module" src="${assets.begin[locale]}" id="begin" data-modules="${[assets.entry[locale], ...files.modules].join(' ')}"></script>
</body>
</html>
`;
}

/** Where providers send everybody back to: no page for search engines, and yet one that others name by its address. */
const isReturn = (page: PageName | undefined): boolean => page === 'paid' || page === 'unpaid';

/** Says where the page stands in each language, and what is shown of it where it is shared. Its address has no query. */
function linksOf(
  config: SiteConfig,
  locale: SiteLocale,
  { page, path, head }: Pick<DocumentParts, 'page' | 'path' | 'head'>,
): string {
  const title = escape(head.shared ?? head.title);
  // No picture was drawn for those: they show that of the site.
  const picture = isReturn(page) ? 'home' : page;
  const address = (language: SiteLocale): string => escape(`${config.url}/${PREFIX[language]}${path}`);
  return [
    `<link rel="canonical" href="${address(locale)}">`,
    ...(Object.keys(PREFIX) as SiteLocale[]).map(
      (language) => `<link rel="alternate" hreflang="${language}" href="${address(language)}">`,
    ),
    `<link rel="alternate" hreflang="x-default" href="${address('en')}">`,
    `<meta property="og:type" content="website">`,
    `<meta property="og:site_name" content="${escape(config.name)}">`,
    `<meta property="og:title" content="${title}">`,
    head.description === undefined ? '' : `<meta property="og:description" content="${escape(head.description)}">`,
    `<meta property="og:url" content="${address(locale)}">`,
    `<meta property="og:locale" content="${locale === 'ru' ? 'ru_RU' : 'en_US'}">`,
    `<meta property="og:image" content="${escape(`${config.url}/shared/${picture}.${locale}.jpg`)}">`,
    '<meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">',
    `<meta property="og:image:alt" content="${title}">`,
    '<meta name="twitter:card" content="summary_large_image">',
    head.jsonLd === undefined ? '' : `<script type="application/ld+json">${escapeJson(head.jsonLd)}</script>`,
  ].join('');
}

const JSON_ESCAPES: Readonly<Record<string, string>> = { '<': '\\u003c', '\u2028': '\\u2028', '\u2029': '\\u2029' };

/** JSON that can stand in a `<script>` element. */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<\u2028\u2029]/g, (character) => JSON_ESCAPES[character] as string);
}

/** Text for HTML, inside and outside of attributes. */
export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
