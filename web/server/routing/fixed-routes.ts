import { PREFIX, pagePathOf, pageUrl } from '../../routes/pages.ts';
import type { SiteConfig, SiteLocale, SiteRequest, SiteResponse } from '../../site.ts';
import { brandFile } from '../document/brand.ts';
import { COMMON_HEADERS, type Headers } from './headers.ts';
import { movedTo } from './moved.ts';
import { CHANGE_PASSWORD, plain, smallFile } from '../files/small-files.ts';
import { LOCALE_COOKIE, THEMES, THEME_COOKIE, YEAR, cookie, localeOfPath, preferredLocale } from './visit.ts';

/**
 * Answers requests for anything but a page: redirects to the visitor's language or to another path, the switches of language and
 * theme, and small files. Returns undefined for pages.
 */
export function fixedRoute(request: SiteRequest, url: URL, config: SiteConfig, now: Date): SiteResponse | undefined {
  switch (url.pathname) {
    case '/locale':
      return switchLocale(url, config);
    case '/theme':
      return switchTheme(request, url, config);
    case CHANGE_PASSWORD:
      return redirect(302, `${pageUrl(preferredLocale(request), 'account')}#password`, [['vary', 'Cookie, Accept-Language']]);
    default:
      return (
        smallFile(url.pathname, config, now) ??
        brandFile(url.pathname, config) ??
        moved(url) ??
        toLanguage(request, url) ??
        withoutSlash(url) ??
        missingFile(url)
      );
  }
}

function moved(url: URL): SiteResponse | undefined {
  const target = movedTo(url.pathname);
  return target === undefined ? undefined : redirect(301, target + url.search);
}

/**
 * Redirects a page's URL without a language to the visitor's language. Redirects a URL in another letter case to the usual one,
 * so that each page has one URL.
 */
function toLanguage(request: SiteRequest, url: URL): SiteResponse | undefined {
  const [first = '', ...rest] = url.pathname.slice(1).split('/');
  const written = (Object.keys(PREFIX) as SiteLocale[]).find((locale) => locale === first.toLowerCase());
  const requested = written ? rest.join('/') : url.pathname.slice(1);
  const page = pagePathOf(requested);
  if (!written && page === undefined) return undefined;
  const path = page ?? requested;
  const target = `/${PREFIX[written ?? preferredLocale(request)]}${path === '' ? '' : `/${path}`}`;
  if (!written) return redirect(302, target + url.search, [['vary', 'Cookie, Accept-Language']]);
  if (first !== PREFIX[written]) return redirect(302, target + url.search);
  return page === undefined || page === requested ? undefined : redirect(301, target + url.search);
}

function withoutSlash(url: URL): SiteResponse | undefined {
  return url.pathname.length > 1 && url.pathname.endsWith('/')
    ? redirect(301, url.pathname.replace(/\/+$/, '') + url.search)
    : undefined;
}

/**
 * Answers the request for a missing file with a text, not with a page. Caches don't store it: the file may exist after a
 * deployment.
 */
function missingFile(url: URL): SiteResponse | undefined {
  const { pathname } = url;
  if (localeOfPath(pathname) || !/\.[a-z0-9]{1,5}$/i.test(pathname)) return undefined;
  return plain(404, `Page not found: ${url.pathname}\n`);
}

/**
 * Answers `/locale?to=/Ru/track`: stores the language of the target in a cookie and redirects to the target, or to `/` if it
 * isn't one of our pages.
 */
function switchLocale(url: URL, config: SiteConfig): SiteResponse {
  const to = ownTarget(url.searchParams.get('to'));
  const locale = localeOfPath(to.split('?')[0] ?? '') ?? 'en';
  return redirect(303, to, [['set-cookie', cookie(LOCALE_COOKIE, locale, YEAR, { isSecure: config.url.startsWith('https:') })]]);
}

/** Answers the form of the theme switch in browsers without scripts: stores the theme in a cookie and redirects back. */
function switchTheme(request: SiteRequest, url: URL, config: SiteConfig): SiteResponse {
  const form = new URLSearchParams(request.body);
  const theme = THEMES.find((one) => one === form.get('theme')) ?? 'light';
  const to = ownTarget(form.get('to') ?? url.searchParams.get('to'));
  return redirect(303, to, [['set-cookie', cookie(THEME_COOKIE, theme, YEAR, { isSecure: config.url.startsWith('https:') })]]);
}

function ownTarget(to: string | null): string {
  return to !== null && /^\/(En|Ru)(?:[/?][^\\\s]*)?$/.test(to) ? to : '/';
}

/**
 * Redirects to a URL on our own site. Several slashes or backslashes at its beginning would lead to another host, so they become
 * one slash. (Dots in the requested URL can hide such slashes from the check in `entry.tsx`.) Characters that headers forbid are
 * percent-encoded.
 */
export function redirect(status: 301 | 302 | 303, location: string, headers: Headers = []): SiteResponse {
  const own = location
    .replace(/^[/\\]{2,}/, '/')
    .toWellFormed()
    .replace(/[^\x21-\x7e]/gu, encodeURIComponent);
  return {
    status,
    headers: [...COMMON_HEADERS, ['location', own], ['cache-control', 'no-store'], ...headers],
    body: '',
    isCacheable: false,
  };
}
