import { PREFIX, type PageName, isPublic } from '../../routes/pages.ts';
import type { SiteConfig, SiteLocale } from '../../site.ts';
import type { Assets } from './assets.ts';
import type { Theme } from '../routing/visit.ts';

/** Maximum number of characters that search engines show of a title; it includes the desk's name. */
const LONGEST_TITLE = 65;

/**
 * Returns the first title that search engines show in full, together with the desk's name. Returns the last title if none is
 * short enough.
 */
export function fittingTitle(titles: readonly [string, ...string[]], name: string): string {
  return titles.find((title) => `${title} · ${name}`.length <= LONGEST_TITLE) ?? (titles.at(-1) as string);
}

/** Title and metadata of a page. Every page's loader returns a head. */
export interface Head {
  readonly title: string;
  readonly description?: string;
  /** Title for link previews, needed if the page's own title may reveal something about a person. */
  readonly shared?: string;
  /** Seconds after which the page reloads in browsers without scripts. Not for pages with fields to type into. */
  readonly refresh?: number;
  /** True for a public page that search engines shall not list, because there are very many similar pages. */
  readonly isUnlisted?: true;
  /** Structured data (schema.org). */
  readonly jsonLd?: object;
}

export interface DocumentParts {
  readonly assets: Assets;
  readonly config: SiteConfig;
  readonly locale: SiteLocale;
  readonly theme: Theme;
  /** Name of the page; undefined for an error page. */
  readonly page: PageName | undefined;
  /** Path of the page without language and query: `/track`. */
  readonly path: string;
  readonly head: Head;
  /** HTML of the page, without the document around it. */
  readonly html: string;
  /** Data that the HTML was rendered from. */
  readonly data: object;
}

/** Returns the whole HTML document of a page. Its last script, `begin`, fetches the other scripts, first the entry. */
export function renderDocument({ assets, config, locale, theme, page, path, head, html, data }: DocumentParts): string {
  const files = assets.pages[locale][page ?? 'home'];
  const isListed = page !== undefined && isPublic(page) && !head.isUnlisted;
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
<script type="module" src="${assets.begin[locale]}" id="begin" data-modules="${[files.entry, ...files.modules].join(' ')}"></script>
</body>
</html>
`;
}

/**
 * True for pages to which payment providers send customers back. Search engines don't list these pages. But providers are given
 * their URLs, so the documents contain the same links and metadata as public pages.
 */
const isReturn = (page: PageName | undefined): boolean => page === 'paid' || page === 'unpaid';

/** Returns the links to the page in each language, and the metadata for link previews. These URLs have no query. */
function linksOf(
  config: SiteConfig,
  locale: SiteLocale,
  { page, path, head }: Pick<DocumentParts, 'page' | 'path' | 'head'>,
): string {
  const title = escape(head.shared ?? head.title);
  // Pages for returning customers have no picture of their own, so they use the home page's picture.
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

/** Returns JSON that is safe inside a `<script>` element. */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<\u2028\u2029]/g, (character) => JSON_ESCAPES[character] as string);
}

/** Escapes text for HTML, inside and outside attributes. */
export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
