import type { Output, Routes } from '@kurs/contract';
import type { SiteConfig, SiteLocale } from '../../site.ts';
import type { Currency } from '../../features/currency.ts';
import { shownCurrencies } from '../../server/document/currencies.ts';
import type { Theme, Visit } from '../../server/routing/visit.ts';

/** What every page of the site shows around its content. */
export interface SiteData {
  readonly name: string;
  readonly mode: 'sandbox' | 'live';
  readonly locale: SiteLocale;
  readonly theme: Theme;
  readonly currencies: readonly Currency[];
  /** The first that are open, for the footer. */
  readonly directions: readonly { readonly from: string; readonly to: string; readonly slug: string }[];
  readonly ratesAt?: string;
  readonly google?: SiteConfig['google'];
  readonly botCheck?: SiteConfig['botCheck'];
  readonly legal?: SiteConfig['legal'];
  readonly contacts?: SiteConfig['contacts'];
  readonly supportHours?: SiteConfig['supportHours'];
  readonly year: string;
  readonly chat?: SiteConfig['chat'];
  readonly buildCheckSeconds?: number;
  /** Where the error page fetches its animation; our own when absent. */
  readonly animation?: string;
}

const FOOTER_LINKS = 5;

/** A site's frames for each set of rates, by language, theme and year: what pages share is the very same in all of them. */
const made = new WeakMap<SiteConfig, WeakMap<object, Map<string, SiteData>>>();

/** Loads the frame. Never fails: a page must be able to say that something is broken. */
export async function loadSite(visit: Visit): Promise<SiteData> {
  const { client } = visit;
  const [currencies, rates] = await Promise.all([
    client.currencies({}).catch(() => []),
    client.directions({}).catch(() => ({ directions: [], rates_at: undefined })),
  ]);
  const ofSite = made.get(visit.config) ?? new WeakMap<object, Map<string, SiteData>>();
  const known = ofSite.get(rates) ?? new Map<string, SiteData>();
  made.set(visit.config, ofSite.set(rates, known));
  const key = `${visit.locale} ${visit.theme} ${visit.now.slice(0, 4)}`;
  const site = known.get(key) ?? siteOf(visit, currencies, rates);
  known.set(key, site);
  return site;
}

function siteOf(
  { config, locale, theme, now }: Visit,
  currencies: Parameters<typeof shownCurrencies>[0],
  rates: Pick<Output<Routes['directions']>, 'directions' | 'rates_at'>,
): SiteData {
  return {
    name: config.name,
    mode: config.mode,
    locale,
    theme,
    currencies: shownCurrencies(currencies),
    directions: rates.directions
      .filter(({ open }) => open)
      .slice(0, FOOTER_LINKS)
      .map(({ from, to, slug }) => ({ from, to, slug })),
    ...(rates.rates_at === undefined ? {} : { ratesAt: rates.rates_at }),
    ...(config.google ? { google: config.google } : {}),
    ...(config.botCheck ? { botCheck: config.botCheck } : {}),
    ...(config.legal ? { legal: config.legal } : {}),
    ...(config.contacts ? { contacts: config.contacts } : {}),
    ...(config.supportHours ? { supportHours: config.supportHours } : {}),
    year: now.slice(0, 4),
    ...(config.chat ? { chat: config.chat } : {}),
    ...(config.buildCheckSeconds ? { buildCheckSeconds: config.buildCheckSeconds } : {}),
    ...(config.animation ? { animation: config.animation } : {}),
  };
}
