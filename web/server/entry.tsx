import { AsyncLocalStorage } from 'node:async_hooks';
import type { Client } from '@kurs/contract/client';
import { overwriteGetLocale } from '../paraglide/runtime.js';
import { PREFIX, isPublicPath } from '../routes/pages.ts';
import type { Site, SiteLocale, SiteOptions, SiteRequest, SiteResponse } from '../site.ts';
import { machineNow } from '../ui/base/clock.ts';
import { readAssets } from './document/assets.ts';
import { embedLocale, embedPage } from './embed.ts';
import { entryLink } from './routing/entry-link.ts';
import { fixedRoute, redirect } from './routing/fixed-routes.ts';
import { isReturn, methodsAt, refusedMethod } from './routing/methods.ts';
import { Pages } from './document/pages.tsx';
import { sitemap } from './files/sitemap.ts';
import { plain } from './files/small-files.ts';
import { RECEIPT_KEYS_PATH, receiptKeysFile } from './files/receipt-keys.ts';
import { type Visit, cookie, framedCookies, localeOfPath, preferredLocale, readOf, themeOf } from './routing/visit.ts';

/** Language of the current request, in which texts are looked up. */
const speaking = new AsyncLocalStorage<SiteLocale>();
overwriteGetLocale(() => (speaking.getStore() === 'ru' ? 'ru-RU' : 'en-US'));

/** Creates the site of the built bundle. See `site.ts`. */
export function createSite(options: SiteOptions): Site {
  const assets = readAssets();
  const pages = new Pages(assets, options.config);
  const { config } = options;
  const now = clockOf(options);

  /**
   * Answers a request for anything but a page: links that redirect, the switches of language and theme, files. Returns undefined
   * for pages.
   */
  const fixedOf = async (request: SiteRequest, url: URL, clientFor: (locale: SiteLocale) => Client) => {
    const forAll = (locale: SiteLocale): Client => options.client(request, locale, 'nobody');
    if (url.pathname === RECEIPT_KEYS_PATH) return receiptKeysFile(config, forAll('en'));
    const embedded = embedLocale(url.pathname);
    if (embedded) {
      const drawn = { config, locale: embedded, script: assets.embed };
      return speaking.run(embedded, () => embedPage(url, drawn, forAll(embedded)));
    }
    if (url.pathname === '/sitemap.xml') return sitemap(config, forAll('en'));
    return (await entryLink(request, url, { ...options, now }, clientFor)) ?? fixedRoute(request, url, config, now());
  };

  const answer = async (request: SiteRequest): Promise<SiteResponse> => {
    // In a path that begins with two slashes, the next part would be read as a host name.
    if (/^[/\\]{2}/.test(request.url)) return redirect(301, request.url);
    const url = new URL(request.url, config.url);
    const isData = url.pathname.endsWith('.data');
    if (isData) url.pathname = url.pathname.slice(0, -'.data'.length);
    const methods = methodsAt(url);
    const refused = methods && refusedMethod(request, methods);
    if (refused) return refused;
    if (request.method === 'POST' && isReturn(url.pathname)) return redirect(303, url.pathname + url.search);
    if (changes(request, url) && !fromOurPages(request, config)) return plain(403, 'This form was sent from another site.\n');
    const clientFor = (locale: SiteLocale) => options.client(request, locale);
    const fixed = isData ? undefined : await fixedOf(request, url, clientFor);
    if (fixed) return (fixed.status === 404 ? undefined : refusedMethod(request, methods)) ?? fixed;
    const named = localeOfPath(url.pathname);
    const locale = named ?? preferredLocale(request);
    // An unknown URL without a language shows the 404 page in the visitor's language.
    const target = named ? url : new URL(`/${PREFIX[locale]}${url.pathname}${url.search}`, url);
    const { visit, setCookies, isPersonal } = visitOf(request, url, locale, options);
    // An unknown URL is answered as a GET, even if the request has another method.
    const requested = methods ? request : { ...request, method: 'GET' };
    return speaking.run(locale, async () => {
      const response = isData ? await pages.data(requested, target, visit) : await pages.page(requested, target, visit);
      const headers = [...response.headers, ...setCookies.map((value) => ['set-cookie', value] as const)];
      return { ...response, headers, isCacheable: response.isCacheable && setCookies.length === 0 && !isPersonal() };
    });
  };

  /** Returns the error page; if it can't be rendered, a plain text with the reference. */
  const failed = async (request: SiteRequest, reference: string): Promise<SiteResponse> => {
    const locale = localeOfPath(request.url) ?? preferredLocale(request);
    const { visit } = visitOf(request, new URL(`/${PREFIX[locale]}`, config.url), locale, options);
    try {
      return await speaking.run(locale, () => pages.failed(visit, reference));
    } catch {
      return plain(500, `Something failed on our side. Reference: ${reference}\n`);
    }
  };

  return {
    buildId: assets.buildId,
    cacheKey: (request) => (isPlainPage(request) ? [request.url, themeOf(request)].join(' ') : undefined),
    handle: async (request) => {
      try {
        return await answer(request);
      } catch (error) {
        return failed(request, options.onError(error));
      }
    },
  };
}

/** Returns the product's clock. */
const clockOf = ({ now }: SiteOptions): (() => Date) => now ?? (() => new Date(machineNow()));

/**
 * True if a request is for a page that is the same for all visitors: a public page without a query, requested without a session.
 * If the page then reads cookies, `readOf` detects this access.
 */
function isPlainPage({ method, url, headers }: SiteRequest): boolean {
  if (method !== 'GET' || headers['authorization'] !== undefined) return false;
  const locale = localeOfPath(url);
  return locale !== undefined && isPublicPath(url.slice(`/${PREFIX[locale]}/`.length));
}

/**
 * True if a request may change something: a posted form, or a switch of language or theme. The language is switched by a link,
 * that is, by GET.
 */
const changes = ({ method }: SiteRequest, { pathname }: URL): boolean =>
  method === 'POST' || pathname === '/locale' || pathname === '/theme';

/**
 * True if a form was sent from our own pages. Browsers report the site that a request came from, or at least the origin of a
 * form. Our pages send their origin (`referrer-policy: same-origin`), so the origin `null` belongs to another site. With real
 * money only the configured origin is accepted, since a request can name any host. Orders are also protected by `SameSite=Lax`
 * cookies and by secrets in URLs.
 */
function fromOurPages({ headers }: SiteRequest, config: SiteOptions['config']): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin, host } = headers;
  const named = config.mode === 'live' ? [] : [`http://${host}`, `https://${host}`];
  return origin === undefined || [new URL(config.url).origin, ...named].includes(origin);
}

function visitOf(
  request: SiteRequest,
  url: URL,
  locale: SiteLocale,
  options: SiteOptions,
): { visit: Visit; setCookies: string[]; isPersonal: () => boolean } {
  const setCookies: string[] = [];
  const { cookies, isPersonal } = readOf(request);
  const now = clockOf(options)();
  const isSecure = options.config.url.startsWith('https:');
  const visit: Visit = {
    client: options.client(request, locale),
    config: options.config,
    locale,
    theme: themeOf(request),
    url,
    cookies,
    files: request.files ?? [],
    hasTooLargeFiles: request.hasTooLargeFiles === true,
    now: now.toISOString(),
    hasToken: request.headers['authorization'] !== undefined,
    setCookie: (name, value, maxAge) => setCookies.push(cookie(name, value, maxAge, { isSecure, isHidden: true })),
    setFramedCookie: (name, value, maxAge, page) => setCookies.push(...framedCookies(name, value, maxAge, { isSecure, page })),
    report: options.onError,
  };
  return { visit, setCookies, isPersonal };
}
