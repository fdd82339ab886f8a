import type { SiteConfig, SiteLocale } from '../../site.ts';
import type { Currency } from '../../features/currency.ts';
import { shownCurrencies } from '../../server/document/currencies.ts';
import type { Theme, Visit } from '../../server/routing/visit.ts';

/** Data of the site that every page has: for the frame around it, and the currencies. */
export interface SiteData {
  readonly name: string;
  readonly mode: 'sandbox' | 'live';
  readonly locale: SiteLocale;
  readonly theme: Theme;
  readonly currencies: readonly Currency[];
  /** First open directions, to which the footer links. */
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
  /** URL of the error page's animation; if absent, the site's own. */
  readonly animation?: string;
}

const FOOTER_LINKS = 5;

/** Loads the site's data. Never throws: error pages need that data, too. If calls fail, lists are empty. */
export async function loadSite(visit: Visit): Promise<SiteData> {
  const { client, config, locale, theme, now } = visit;
  const [currencies, rates] = await Promise.all([
    client.currencies({}).catch(() => []),
    client.directions({}).catch(() => ({ directions: [], rates_at: undefined })),
  ]);
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
