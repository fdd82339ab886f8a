import type { Client } from '@kurs/contract/client';
import { PREFIX, pageUrl } from '../../routes/pages.ts';
import type { SiteConfig, SiteLocale, SiteRequest, SiteResponse } from '../../site.ts';
import { redirect } from './fixed-routes.ts';
import { movedTo } from './moved.ts';
import { cookie, localeOfPath, preferredLocale } from './visit.ts';

/** The cookie that keeps who sent a visitor: a partner’s name or an account’s referral code. The sign-in dialog reads it. */
export const REF_COOKIE = 'kurs_ref';
const REF_SECONDS = 90 * 24 * 3600;
/** What a partner may be called, and every referral code. */
const REF = /^[A-Za-z0-9._-]{1,64}$/;
const PARAMS = ['cur_from', 'cur_to', 'lang', 'ref'] as const;
/** What the home page itself understands. */
const OWN = ['from', 'to', 'amount', 'side'] as const;

/**
 * A link by which monitors and partners lead to us: `/?cur_from=USDTERC20&cur_to=BTC&lang=RU&ref=name`, on the home page
 * in any language. It goes on to the home page with the calculator set to that direction, and the name is kept for 90
 * days; who came by another's link before keeps that. Currencies are the monitors' codes or ours, in any case; where
 * there is no such direction it is the plain home page. On any other page a `ref` is kept and taken out of the address.
 * Gives undefined for every other address.
 */
export async function entryLink(
  request: SiteRequest,
  url: URL,
  config: SiteConfig,
  clientFor: (locale: SiteLocale) => Client,
): Promise<SiteResponse | undefined> {
  const query = url.searchParams;
  const isHome = ['/', ...Object.values(PREFIX).map((prefix) => `/${prefix}`)].some((path) => isPath(url.pathname, path));
  // An old address leads on to its page first, in one hop and with all that it carries.
  const isOther = query.has('ref') && localeOfPath(url.pathname) !== undefined && movedTo(url.pathname) === undefined;
  const isLink = isHome ? PARAMS.some((name) => query.has(name)) : isOther;
  if (!isLink || !['GET', 'HEAD'].includes(request.method)) return undefined;
  const locale = languageOf(query.get('lang')) ?? localeOfPath(titled(url.pathname)) ?? preferredLocale(request);
  const ref = query.get('ref') ?? '';
  const isFirst = REF.test(ref) && !REF.test(request.cookies[REF_COOKIE] ?? '');
  const secure = config.url.startsWith('https:');
  const kept = isFirst ? [['set-cookie', cookie(REF_COOKIE, ref, REF_SECONDS, { secure })] as const] : [];
  const target = isHome ? pageUrl(locale, 'home', await presetOf(query, clientFor(locale))) : without('ref', url);
  return redirect(302, target, [['vary', 'Cookie, Accept-Language'], ...kept]);
}

const isPath = (given: string, path: string): boolean => given.replace(/(?<=.)\/$/, '').toLowerCase() === path.toLowerCase();
/** `/ru` → `/Ru`. */
const titled = (path: string): string =>
  path.replace(/^\/(.)/, (_, letter: string) => `/${letter.toUpperCase()}`).replace(/\/$/, '');

/** An address of ours without one of its parameters. */
function without(name: string, { pathname, searchParams }: URL): string {
  const rest = new URLSearchParams(searchParams);
  rest.delete(name);
  return rest.size === 0 ? pathname : `${pathname}?${rest}`;
}

function languageOf(lang: string | null): SiteLocale | undefined {
  const written = lang?.slice(0, 2).toLowerCase();
  return (Object.keys(PREFIX) as SiteLocale[]).find((locale) => locale === written);
}

/** The query of the home page: the direction that a monitor named, if there is one, or what our own link says. */
async function presetOf(query: URLSearchParams, client: Client): Promise<Record<string, string>> {
  const own = Object.fromEntries(OWN.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : [])));
  if (!query.has('cur_from') && !query.has('cur_to')) return own;
  const pair = await pairOf(query, client).catch(() => undefined);
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
