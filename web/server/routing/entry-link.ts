import type { Client } from '@kurs/contract/client';
import { clickedReference, readReference } from '@kurs/contract/reference';
import { PREFIX, pageUrl } from '../../routes/pages.ts';
import type { SiteLocale, SiteOptions, SiteRequest, SiteResponse } from '../../site.ts';
import { redirect } from './fixed-routes.ts';
import { linkQuery, referencesIn } from './link-query.ts';
import { movedTo } from './moved.ts';
import { cookie, localeOfPath, preferredLocale } from './visit.ts';

/** The cookie that keeps who sent a visitor, as a reference. The sign-in dialog and the calculator read it. */
const REF_COOKIE = 'kurs_ref';
const REF_SECONDS = 90 * 24 * 3600;
const PARAMS = ['cur_from', 'cur_to', 'lang', 'ref'] as const;
/** What the home page itself understands. */
const OWN = ['from', 'to', 'amount', 'side'] as const;

/**
 * A link by which monitors and partners lead to us: `/?cur_from=USDTERC20&cur_to=BTC&lang=RU&ref=name`, on the home page
 * in any language. It goes on to the home page with the calculator set to that direction, and the reference is kept for 90
 * days, with a `sub` of at most 255 characters; who came by another's link before keeps that, and one that nobody has changes
 * nothing. Currencies are the monitors' codes or ours, in any case; where there is no such direction it is the plain home page.
 * On any other page a `ref` is kept and taken out of the address. Links are read as people share them (`link-query.ts`). Gives undefined for every other address.
 */
export async function entryLink(
  request: SiteRequest,
  url: URL,
  options: Pick<SiteOptions, 'config' | 'opened'> & { readonly now: () => Date },
  clientFor: (locale: SiteLocale) => Client,
): Promise<SiteResponse | undefined> {
  const query = linkQuery(url);
  const isHome = ['/', ...Object.values(PREFIX).map((prefix) => `/${prefix}`)].some((path) => isPath(url.pathname, path));
  // An old address leads on to its page first, in one hop and with all that it carries.
  const isOther = query.has('ref') && localeOfPath(url.pathname) !== undefined && movedTo(url.pathname) === undefined;
  const isLink = isHome ? PARAMS.some((name) => query.has(name)) : isOther;
  if (!isLink || !['GET', 'HEAD'].includes(request.method)) return undefined;
  const locale = languageOf(query.get('lang')) ?? localeOfPath(titled(url.pathname)) ?? preferredLocale(request);
  const reference = isDocument(request) ? await openedBy(request, query, options) : undefined;
  const isFirst = reference !== undefined && keptReference(request).ref === undefined;
  const secure = options.config.url.startsWith('https:');
  const kept = isFirst ? [['set-cookie', cookie(REF_COOKIE, reference, REF_SECONDS, { secure })] as const] : [];
  const target = isHome
    ? pageUrl(locale, 'home', await presetOf(query, () => clientFor(locale)))
    : without(['ref', 'sub'], url.pathname, query);
  return redirect(302, target, [['vary', 'Cookie, Accept-Language'], ...kept]);
}

/** True for a page that somebody opens, and where the browser doesn't say: a picture or frame on another page keeps nobody's link. */
const isDocument = ({ headers }: SiteRequest): boolean => (headers['sec-fetch-dest'] ?? 'document') === 'document';

/** The first reference of a link that somebody has, once it was told that the link is opened; undefined for none. */
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
 * The reference that a visitor's cookie keeps, as calls take it. It is theirs alone: to be read for forms, and for pages whose
 * address has a query, which nobody keeps.
 */
export function keptReference({ cookies }: { readonly cookies: SiteRequest['cookies'] }): { ref?: string } {
  const ref = cookies[REF_COOKIE] ?? '';
  return readReference(ref) ? { ref } : {};
}

const isPath = (given: string, path: string): boolean => given.replace(/(?<=.)\/$/, '').toLowerCase() === path.toLowerCase();
/** `/ru` and `/RU` → `/Ru`. */
const titled = (path: string): string =>
  path
    .replace(/^\/(.)([^/]*)/, (_, letter: string, rest: string) => `/${letter.toUpperCase()}${rest.toLowerCase()}`)
    .replace(/\/$/, '');

/** An address of ours without some of its parameters. */
function without(names: readonly string[], pathname: string, query: URLSearchParams): string {
  const rest = new URLSearchParams(query);
  for (const name of names) rest.delete(name);
  return rest.size === 0 ? pathname : `${pathname}?${rest}`;
}

function languageOf(lang: string | null): SiteLocale | undefined {
  const written = lang?.slice(0, 2).toLowerCase();
  return (Object.keys(PREFIX) as SiteLocale[]).find((locale) => locale === written);
}

/** The query of the home page: the direction that a monitor named, if there is one, or what our own link says. */
async function presetOf(query: URLSearchParams, client: () => Client): Promise<Record<string, string>> {
  const own = Object.fromEntries(OWN.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : [])));
  if (!query.has('cur_from') && !query.has('cur_to')) return own;
  const pair = await pairOf(query, client()).catch(() => undefined);
  return pair ? { ...own, ...pair } : {};
}

async function pairOf(query: URLSearchParams, client: Client): Promise<{ from: string; to: string } | undefined> {
  const [currencies, { directions }] = await Promise.all([client.currencies({}), client.directions({})]);
  const codeOf = (name: string): string | undefined => {
    const asked = (query.get(name) ?? '').toUpperCase();
    const found = currencies.find(({ feed_code: code }) => code === asked) ?? currencies.find(({ code }) => code === asked);
    return found?.code;
  };
  const [from, to] = [codeOf('cur_from'), codeOf('cur_to')];
  const found = directions.find((one) => one.from === from && one.to === to);
  return found && { from: found.from, to: found.to };
}
