import type { Client } from '@kurs/contract/client';
import { clickedReference, readReference } from '@kurs/contract/reference';
import { PREFIX, pageUrl } from '../../routes/pages.ts';
import type { SiteLocale, SiteOptions, SiteRequest, SiteResponse } from '../../site.ts';
import { redirect } from './fixed-routes.ts';
import { linkQuery, referencesIn } from './link-query.ts';
import { movedTo } from './moved.ts';
import { cookie, localeOfPath, preferredLocale } from './visit.ts';

/** Cookie with the reference of the affiliate who sent the visitor. The sign-in dialog and the calculator read it. */
const REF_COOKIE = 'kurs_ref';
const REF_SECONDS = 90 * 24 * 3600;
const PARAMS = ['cur_from', 'cur_to', 'lang', 'ref'] as const;
/** Parameters of the home page itself. */
const OWN = ['from', 'to', 'amount', 'side'] as const;

/**
 * Answers links of monitors and affiliates: `/?cur_from=USDTERC20&cur_to=BTC&lang=RU&ref=name`, on the home page in any language.
 * Redirects to the home page with that direction in the calculator.
 * The reference is stored for 90 days, with a `sub` of at most 255 characters. An earlier stored reference stays, and an unknown
 * one is ignored. Currencies are codes of monitors or ours, in any case. For an unknown direction the plain home page is shown.
 * On any other page a `ref` is stored and removed from the address. Links are read leniently (`link-query.ts`). Returns undefined
 * for all other addresses.
 */
export async function entryLink(
  request: SiteRequest,
  url: URL,
  options: Pick<SiteOptions, 'config' | 'opened'> & { readonly now: () => Date },
  clientFor: (locale: SiteLocale) => Client,
): Promise<SiteResponse | undefined> {
  const query = linkQuery(url);
  const isHome = ['/', ...Object.values(PREFIX).map((prefix) => `/${prefix}`)].some((path) => isPath(url.pathname, path));
  // An old address redirects to its page first, in one hop and with its whole query.
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
 * True for a page that a person opens, and if the browser doesn't say. A picture or a frame on another page stores no reference.
 */
const isDocument = ({ headers }: SiteRequest): boolean => (headers['sec-fetch-dest'] ?? 'document') === 'document';

/** Returns the first known reference of a link, after reporting that the link was opened; undefined if there is none. */
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
 * Returns the reference in a visitor's cookie, as calls take it. It is personal: only forms may read it, and pages whose address
 * has a query, since these are not cached.
 */
export function storedReference({ cookies }: { readonly cookies: SiteRequest['cookies'] }): { ref?: string } {
  const ref = cookies[REF_COOKIE] ?? '';
  return readReference(ref) ? { ref } : {};
}

const isPath = (given: string, path: string): boolean => given.replace(/(?<=.)\/$/, '').toLowerCase() === path.toLowerCase();
/** Writes the language of a path as we do: `/ru` and `/RU` → `/Ru`. */
const titled = (path: string): string =>
  path
    .replace(/^\/(.)([^/]*)/, (_, letter: string, rest: string) => `/${letter.toUpperCase()}${rest.toLowerCase()}`)
    .replace(/\/$/, '');

/** Returns an address of ours without some of its parameters. */
function without(names: readonly string[], pathname: string, query: URLSearchParams): string {
  const rest = new URLSearchParams(query);
  for (const name of names) rest.delete(name);
  return rest.size === 0 ? pathname : `${pathname}?${rest}`;
}

function languageOf(lang: string | null): SiteLocale | undefined {
  const written = lang?.slice(0, 2).toLowerCase();
  return (Object.keys(PREFIX) as SiteLocale[]).find((locale) => locale === written);
}

/** Returns the query of the home page: the direction that a monitor named, if it exists, or the parameters of our own link. */
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
