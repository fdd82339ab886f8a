import type { SiteConfig, SiteLocale } from '../../site.ts';
import type { Currency } from '../../features/currency.ts';
import { shownCurrencies } from '../../server/currencies.ts';
import type { Theme, Visit } from '../../server/visit.ts';

/** What every page of the site shows around its content. */
export interface SiteData {
  readonly name: string;
  readonly mode: 'sandbox' | 'live';
  readonly locale: SiteLocale;
  readonly theme: Theme;
  readonly currencies: readonly Currency[];
  readonly directions: readonly { readonly from: string; readonly to: string }[];
  readonly ratesAt?: string;
  readonly ratesSeeded: boolean;
  readonly legal?: SiteConfig['legal'];
  readonly contacts?: SiteConfig['contacts'];
  readonly supportHours?: SiteConfig['supportHours'];
  readonly year: string;
}

/** Loads the frame. Never fails: a page must be able to say that something is broken. */
export async function loadSite(visit: Visit): Promise<SiteData> {
  const { config, client } = visit;
  const [currencies, rates] = await Promise.all([
    client.currencies({}).catch(() => []),
    client.directions({}).catch(() => ({ directions: [], rates_at: undefined, rates_seeded: false })),
  ]);
  return {
    name: config.name,
    mode: config.mode,
    locale: visit.locale,
    theme: visit.theme,
    currencies: shownCurrencies(currencies),
    directions: rates.directions.filter(({ open }) => open).map(({ from, to }) => ({ from, to })),
    ...(rates.rates_at === undefined ? {} : { ratesAt: rates.rates_at }),
    ratesSeeded: rates.rates_seeded,
    ...(config.legal ? { legal: config.legal } : {}),
    ...(config.contacts ? { contacts: config.contacts } : {}),
    ...(config.supportHours ? { supportHours: config.supportHours } : {}),
    year: visit.now.slice(0, 4),
  };
}
