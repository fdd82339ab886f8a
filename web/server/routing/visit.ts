import type { Client } from '@kurs/contract/client';
import { createContext } from 'react-router';
import { PREFIX } from '../../routes/pages.ts';
import type { SiteConfig, SiteLocale, SiteRequest } from '../../site.ts';

export const THEMES = ['light', 'dark', 'system'] as const;
export type Theme = (typeof THEMES)[number];

/** Name of the cookie with the chosen language. */
export const LOCALE_COOKIE = 'i18n_redirected';
/** Name of the cookie with the chosen theme. */
export const THEME_COOKIE = 'theme';
/** Lifetime of both cookies, in seconds. */
export const YEAR = 365 * 24 * 3600;

/** Request as loaders and actions see it: the API client for its sender, its language, and functions that add to its response. */
export interface Visit {
  readonly client: Client;
  readonly config: SiteConfig;
  readonly locale: SiteLocale;
  readonly theme: Theme;
  readonly url: URL;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** Time of the product's clock, RFC 3339. */
  readonly now: string;
  /** Files of the submitted form. */
  readonly files: NonNullable<SiteRequest['files']>;
  /** True if the form's files were too large to be accepted. */
  readonly hasTooLargeFiles: boolean;
  /**
   * True if the request contains a session's token. The browser's requests for data may contain a token, requests for documents
   * never contain one.
   */
  readonly hasToken: boolean;
  setCookie(name: string, value: string, maxAge: number): void;
  /** Sets a cookie for one page alone, which gets it inside a frame of another site, too. Scripts can't read it. */
  setFramedCookie(name: string, value: string, maxAge: number, page: string): void;
  /** Logs the error and returns its reference for the page. */
  report(error: unknown): string;
}

export const visitContext = createContext<Visit>();

/**
 * Returns the language that the cookie names; otherwise the first supported language in the browser's list; otherwise English.
 */
export function preferredLocale(request: SiteRequest): SiteLocale {
  const stored = request.cookies[LOCALE_COOKIE]?.toLowerCase();
  if (stored === 'en' || stored === 'ru') return stored;
  return wantedLocales(request.headers['accept-language'] ?? '')[0] ?? 'en';
}

/**
 * Returns the languages of the site that a browser's list contains, sorted by weight, then by position. A weight of 0 excludes a
 * language.
 */
function wantedLocales(list: string): SiteLocale[] {
  return list
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
      const weight = parameters.find((one) => one.startsWith('q='))?.slice('q='.length);
      return { locale: /^(?:en|ru)(?=-|$)/.exec(tag)?.[0] as SiteLocale | undefined, weight: weight === undefined ? 1 : +weight };
    })
    .filter(({ weight }) => weight > 0 && weight <= 1)
    .sort((one, other) => other.weight - one.weight)
    .flatMap(({ locale }) => locale ?? []);
}

/** Returns the language at the beginning of a path; undefined if it is not written exactly as `En` or `Ru`. */
export function localeOfPath(path: string): SiteLocale | undefined {
  const first = path.split('/')[1];
  return first === PREFIX.en ? 'en' : first === PREFIX.ru ? 'ru' : undefined;
}

export function themeOf(request: SiteRequest): Theme {
  const stored = request.cookies[THEME_COOKIE];
  return THEMES.find((theme) => theme === stored) ?? 'light';
}

/**
 * Returns a request's cookies. `isPersonal` returns true once any cookie except the theme's was looked up, even an absent one.
 * The page must then not be cached for others. The theme is part of the cache key.
 */
export function readOf({ cookies }: SiteRequest): { cookies: Visit['cookies']; isPersonal: () => boolean } {
  let read = false;
  const noting = <T>(value: T, name?: string | symbol): T => {
    read ||= name !== THEME_COOKIE;
    return value;
  };
  const watched = new Proxy(cookies, {
    get: (own, name) => noting(Reflect.get(own, name) as unknown, name),
    has: (own, name) => noting(Reflect.has(own, name), name),
    ownKeys: (own) => noting(Reflect.ownKeys(own)),
  });
  return { cookies: watched, isPersonal: () => read };
}

/**
 * Returns the `set-cookie` value for a cookie that is valid for the whole site. `maxAge` is in seconds. With `isHidden`, scripts
 * can't read the cookie.
 */
export function cookie(name: string, value: string, maxAge: number, options: { isSecure: boolean; isHidden?: boolean }): string {
  const flags = [options.isHidden && 'HttpOnly', options.isSecure && 'Secure'].filter(Boolean).map((flag) => `; ${flag}`);
  return `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAge}; SameSite=Lax${flags.join('')}`;
}

/**
 * Returns the `set-cookie` values for a cookie that is valid for one page: for its document, and for its data, whose path differs.
 * The cookie works inside frames of other sites as well: each site that frames the page has a cookie of its own. Browsers accept
 * that with HTTPS alone, so without it the cookie stays out of frames. `page`: path of the page's document.
 */
export function framedCookies(
  name: string,
  value: string,
  maxAge: number,
  options: { isSecure: boolean; page: string },
): string[] {
  const reach = options.isSecure ? 'SameSite=None; Secure; Partitioned' : 'SameSite=Lax';
  return [options.page, `${options.page}.data`].map(
    (path) => `${name}=${encodeURIComponent(value)}; Path=${path}; Max-Age=${maxAge}; HttpOnly; ${reach}`,
  );
}
