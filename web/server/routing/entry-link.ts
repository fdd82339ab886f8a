import type { Client } from '@kurs/contract/client';
import { clickedReference, readReference } from '@kurs/contract/reference';
import { PREFIX, pageUrl } from '../../routes/pages.ts';
import type { SiteLocale, SiteOptions, SiteRequest, SiteResponse } from '../../site.ts';
import { redirect } from './fixed-routes.ts';
import { linkQuery, referencesIn } from './link-query.ts';
import { movedTo } from './moved.ts';
import { cookie, localeOfPath, preferredLocale } from './visit.ts';

/** Name of the cookie with the reference of the affiliate who sent the visitor. The sign-in dialog and the calculator read it. */
const REF_COOKIE = 'kurs_ref';
const REF_SECONDS = 90 * 24 * 3600;
const PARAMS = ['cur_from', 'cur_to', 'lang', 'ref'] as const;
/** Parameters that the home page reads itself. */
const OWN = ['from', 'to', 'amount', 'side'] as const;

/**
 * Answers links of monitors and affiliates by a redirect. On the home page in any language such links look like
 * `/?cur_from=USDTERC20&cur_to=BTC&lang=RU&ref=name`. These links lead to the home page with that direction in the calculator, or
 * to the plain home page if the direction is unknown. Currencies are codes of monitors or ours, in any letter case.
 *
 * On any other page only a `ref` makes such a link. The redirect leads to the same page without `ref`.
 *
 * A known reference is stored for 90 days, with a `sub` of at most 255 characters, unless another reference is stored already.
 * Damaged links are read, too (`link-query.ts`). Returns undefined for all other URLs.
 */
export async function entryLink(
  request: SiteRequest,
  url: URL,
  options: Pick<SiteOptions, 'config' | 'opened'> & { readonly now: () => Date },
  clientFor: (locale: SiteLocale) => Client,
): Promise<SiteResponse | undefined> {
  const query = linkQuery(url);
  const isHome = ['/', ...Object.values(PREFIX).map((prefix) => `/${prefix}`)].some((path) => isPath(url.pathname, path));
  // A former path redirects first to the page's present path, with the whole query.
  const isOther = query.has('ref') && localeOfPath(url.pathname) !== undefined && movedTo(url.pathname) === undefined;
  const isLink = isHome ? PARAMS.some((name) => query.has(name)) : isOther;
  if (!isLink || !['GET', 'HEAD'].includes(request.method)) return undefined;
  const locale = languageOf(query.get('lang')) ?? localeOfPath(titled(url.pathname)) ?? preferredLocale(request);
  const reference = isDocument(request) ? await openedBy(request, query, options) : undefined;
  const isFirst = reference !== undefined && storedReference(request).ref === undefined;
  const isSecure = options.config.url.startsWith('https:');
  const stored = isFirst ? [['set-cookie', cookie(REF_COOKIE, reference, REF_SECONDS, { isSecure })] as const] : [];
  const target = isHome
    ? pageUrl(locale, 'home', await presetOf(query, () => clientFor(locale)))
    : without(['ref', 'sub'], url.pathname, query);
  return redirect(302, target, [['vary', 'Cookie, Accept-Language'], ...stored]);
}

/**
 * True if a request opens a page as a document, or if the browser doesn't report the purpose. So a picture or a frame on another
 * page stores no reference.
 */
const isDocument = ({ headers }: SiteRequest): boolean => (headers['sec-fetch-dest'] ?? 'document') === 'document';

/**
 * Returns the first known reference in a link, and records that the link was opened; undefined if the link has no known
 * reference.
 */
async function openedBy(
  request: SiteRequest,
  query: URLSearchParams,
  { opened, now }: Pick<SiteOptions, 'opened'> & { readonly now: () => Date },
): Promise<string | undefined> {
  for (const one of referencesIn(query)) {
    const text = clickedReference(one, query.get('sub') ?? '', now());
    const reference = text === undefined ? undefined : readReference(text);
    if (reference && ((await opened?.(request, reference)) ?? true)) return text;
  }
  return undefined;
}

/**
 * Returns the reference in a visitor's cookie, as an input of API calls. It is personal, so it may be read only for forms and for
 * pages with a query, which are never cached for others.
 */
export function storedReference({ cookies }: { readonly cookies: SiteRequest['cookies'] }): { ref?: string } {
  const ref = cookies[REF_COOKIE] ?? '';
  return readReference(ref) ? { ref } : {};
}

const isPath = (given: string, path: string): boolean => given.replace(/(?<=.)\/$/, '').toLowerCase() === path.toLowerCase();
/** Writes the language in a path with its usual letter case: `/ru` and `/RU` → `/Ru`. */
const titled = (path: string): string =>
  path
    .replace(/^\/(.)([^/]*)/, (_, letter: string, rest: string) => `/${letter.toUpperCase()}${rest.toLowerCase()}`)
    .replace(/\/$/, '');

/** Returns the URL of a page without some parameters of its query. */
function without(names: readonly string[], pathname: string, query: URLSearchParams): string {
  const rest = new URLSearchParams(query);
  for (const name of names) rest.delete(name);
  return rest.size === 0 ? pathname : `${pathname}?${rest}`;
}

function languageOf(lang: string | null): SiteLocale | undefined {
  const written = lang?.slice(0, 2).toLowerCase();
  return (Object.keys(PREFIX) as SiteLocale[]).find((locale) => locale === written);
}

/**
 * Returns the query for the home page: its own parameters, and the direction that a monitor's link names. If there is no such
 * direction, the query is empty.
 */
async function presetOf(query: URLSearchParams, client: () => Client): Promise<Record<string, string>> {
  const own = Object.fromEntries(OWN.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : [])));
  if (!query.has('cur_from') && !query.has('cur_to')) return own;
  const pair = await pairOf(query, client()).catch(() => undefined);
  return pair ? { ...own, ...pair } : {};
}

async function pairOf(query: URLSearchParams, client: Client): Promise<{ from: string; to: string } | undefined> {
  const [currencies, { directions }] = await Promise.all([client.currencies({}), client.directions({})]);
  const codeOf = (name: string): string | undefined => {
    const request = (query.get(name) ?? '').toUpperCase();
    const found = currencies.find(({ feed_code: code }) => code === request) ?? currencies.find(({ code }) => code === request);
    return found?.code;
  };
  const [from, to] = [codeOf('cur_from'), codeOf('cur_to')];
  const found = directions.find((one) => one.from === from && one.to === to);
  return found && { from: found.from, to: found.to };
}
