import type { Client } from '@kurs/contract/client';
import { createContext } from 'react-router';
import { PREFIX } from '../../routes/pages.ts';
import type { SiteConfig, SiteLocale, SiteRequest } from '../../site.ts';

export const THEMES = ['light', 'dark', 'system'] as const;
export type Theme = (typeof THEMES)[number];

/** The cookie that keeps the language (365 days) and the one that keeps the theme. */
export const LOCALE_COOKIE = 'i18n_redirected';
export const THEME_COOKIE = 'theme';
export const YEAR = 365 * 24 * 3600;

/** One request as pages see it: who asks, in which language, and what to tell the browser beside the page. */
export interface Visit {
  readonly client: Client;
  readonly config: SiteConfig;
  readonly locale: SiteLocale;
  readonly theme: Theme;
  readonly url: URL;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** The product's clock, RFC 3339. */
  readonly now: string;
  /** Files that came with a form. */
  readonly files: NonNullable<SiteRequest['files']>;
  /** Files came that were too large to be taken. */
  readonly filesTooLarge: boolean;
  /** A session's token came with the request: of pages only the browser's own requests for data bring one. */
  readonly hasToken: boolean;
  setCookie(name: string, value: string, maxAge: number): void;
  /** Names the error in the log and gives the reference for the page. */
  report(error: unknown): string;
}

export const visitContext = createContext<Visit>();

/** The language: of the cookie, else of the browser's list, else English. */
export function preferredLocale(request: SiteRequest): SiteLocale {
  const kept = request.cookies[LOCALE_COOKIE]?.toLowerCase();
  if (kept === 'en' || kept === 'ru') return kept;
  return wantedLocales(request.headers['accept-language'] ?? '')[0] ?? 'en';
}

/** Our languages that a browser's list names, the best first: by weight, then as they stand. What weighs 0 is not wanted. */
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

/** The language that an address names, exactly as written there. */
export function localeOfPath(path: string): SiteLocale | undefined {
  const first = path.split('/')[1];
  return first === PREFIX.en ? 'en' : first === PREFIX.ru ? 'ru' : undefined;
}

export function themeOf(request: SiteRequest): Theme {
  const kept = request.cookies[THEME_COOKIE];
  return THEMES.find((theme) => theme === kept) ?? 'light';
}

/**
 * A request's cookies, and whether one was read by now, there or not, that a shared page does not depend on: all but the
 * theme's, which is in the key.
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

/** A cookie for the whole site. `hidden`: no script can read it. */
export function cookie(name: string, value: string, maxAge: number, options: { secure: boolean; hidden?: boolean }): string {
  const flags = [options.hidden && 'HttpOnly', options.secure && 'Secure'].filter(Boolean).map((flag) => `; ${flag}`);
  return `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAge}; SameSite=Lax${flags.join('')}`;
}
