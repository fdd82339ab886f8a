import type { Output, Routes } from '@kurs/contract';
import type { Direction } from '../../../features/calculator/price-breakdown.ts';
import type { CalculatorStart } from '../../../features/calculator/use-calculator.ts';
import type { Offered } from '../../../features/calculator/use-live-directions.ts';
import { m } from '../../../features/words.ts';
import type { Head } from '../../../server/document/document.ts';
import { givePartsTo } from '../../../server/document/server-drawn-parts.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import type { SiteConfig } from '../../../site.ts';
import { pageUrl } from '../../pages.ts';
import { actOn, offeredOf, startOf } from '../calculator-data.ts';
import { Facts, Intro, NoOffers, Story } from './home-parts.tsx';

type Landing = Output<Routes['landing']>;

export interface HomeData {
  readonly head: Head;
  readonly offered: Offered;
  /** Number of directions in the table. The page of rates lists all directions. */
  readonly rows: number;
  readonly count: number;
  readonly hasSeededRates: boolean;
  readonly start: CalculatorStart;
}

/** Number of rows in the table of directions. */
const ROWS = 9;

/** Loads the home page. In the query, `from`, `to`, `amount` and `side` are the calculator's inputs. */
export async function load(visit: Visit): Promise<HomeData> {
  const [landing, rates] = await Promise.all([visit.client.landing({}), visit.client.directions({})]);
  const { directions } = rates;
  const direction = requestedFor(visit, directions, landing.hero);
  const rows = rowsOf(directions);
  const { hero } = landing;
  const isHero = direction?.from === hero.from && direction.to === hero.to;
  const begin = direction && !isHero ? { from: direction.from, to: direction.to } : hero;
  const { lock_minutes: lockMinutes, quote_minutes: quoteMinutes, latest_orders: latest } = landing;
  const start = await startOf(visit, direction, begin);
  const head = homeHead(visit);
  givePartsTo(head, {
    intro: <Intro pair={directions.length > 0 ? start : undefined} minutes={lockMinutes} />,
    ...(directions.length === 0 && { none: <NoOffers /> }),
    facts: <Facts minutes={lockMinutes} />,
    story: (
      <Story
        quoteMinutes={quoteMinutes}
        lockMinutes={lockMinutes}
        latest={latest}
        isSample={visit.config.mode === 'sandbox'}
        locale={visit.locale}
      />
    ),
  });
  return {
    head,
    offered: offeredOf(directions, shownOf(rows, direction), rates.rates_at),
    rows: rows.length,
    count: directions.length,
    hasSeededRates: rates.rates_seeded,
    start,
  };
}

function homeHead({ config }: Visit): Head {
  return {
    title: m.home_head_title(),
    description: m.home_head_description(),
    jsonLd: {
      '@context': 'https://schema.org',
      '@graph': [{ '@type': 'WebSite', name: config.name, url: config.url }, organization(config)],
    },
  };
}

/** Returns structured data about the site's operator, with all details that are configured. https://schema.org/Organization */
function organization({ name, url, legal, contacts }: SiteConfig): object {
  return {
    '@type': 'Organization',
    name,
    url,
    logo: `${url}/icon-512.png`,
    ...(legal && { legalName: legal.entity }),
    ...(legal?.address && { address: legal.address }),
    ...(contacts?.email && {
      contactPoint: {
        '@type': 'ContactPoint',
        contactType: 'customer support',
        email: contacts.email,
        availableLanguage: ['en', 'ru'],
      },
    }),
    ...(contacts?.links && { sameAs: contacts.links.map((link) => link.url) }),
  };
}

/**
 * Returns the direction that the query names; otherwise the direction that the operator configured; otherwise the first
 * direction.
 */
function requestedFor(visit: Visit, directions: readonly Direction[], hero: Landing['hero']): Direction | undefined {
  const query = visit.url.searchParams;
  const of = (from: string | null, to: string | null): Direction | undefined =>
    directions.find((one) => one.from === from && one.to === to);
  return of(query.get('from'), query.get('to')) ?? of(hero.from, hero.to) ?? directions[0];
}

/** Returns the first directions in the operator's order, open ones first. */
function rowsOf(directions: readonly Direction[]): readonly Direction[] {
  return [...directions.filter(({ open }) => open), ...directions.filter(({ open }) => !open)].slice(0, ROWS);
}

/**
 * Returns the directions of the table, and the calculator's direction. Only the calculator's direction has its terms. The browser
 * requests the other terms later.
 */
function shownOf(rows: readonly Direction[], direction: Direction | undefined): Direction[] {
  const reported = rows.map((row): Direction => {
    const { terms: _terms, ...shown } = row;
    return row === direction ? row : shown;
  });
  return !direction || rows.includes(direction) ? reported : [...reported, direction];
}

/** Handles the calculator's form. */
export function submit(visit: Visit, form: URLSearchParams): Promise<Response> {
  return actOn(visit, form, (query) => pageUrl(visit.locale, 'home', query));
}
