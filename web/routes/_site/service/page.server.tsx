import { redirect } from 'react-router';
import { crumbList } from '../../../features/blocks/crumbs.tsx';
import type { Direction } from '../../../features/calculator/price-breakdown.ts';
import type { CalculatorStart } from '../../../features/calculator/use-calculator.ts';
import type { Offered } from '../../../features/calculator/use-live-directions.ts';
import { findCurrency } from '../../../features/currency.ts';
import { writeMoney } from '../../../features/money.tsx';
import { m } from '../../../features/words.ts';
import { shownCurrencies } from '../../../server/document/currencies.ts';
import { type Head, fittingTitle } from '../../../server/document/document.ts';
import { invalidRoute } from '../../../server/document/failure.ts';
import { givePartsTo } from '../../../server/document/server-drawn-parts.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import { PREFIX, pageUrl } from '../../pages.ts';
import { type Pair, actOn, offeredOf, startOf } from '../calculator-data.ts';
import { reversibleWords } from '../reversible-words.ts';
import { type ServiceFacts, fullName, labelsOfFields, payInOf, payOutOf, shortName, similarTo } from './service-facts.ts';
import { Conditions, Intro, Story } from './service-parts.tsx';
import { feeOf, questionsOf } from './service-words.ts';

/** Data that the browser gets for a direction's page: the calculator's data. The server renders everything else. */
export interface ServiceData {
  readonly head: Head;
  readonly offered: Offered;
  readonly start: CalculatorStart;
}

const slugOf = (visit: Visit): string => visit.url.pathname.split('/')[3] ?? '';

/**
 * Loads the page of the direction with the slug in the URL. All content comes from the direction's data, so an operator adds a
 * page without code. If the query names another pair, redirects to that pair's page. Throws a 404 for an unknown slug.
 */
export async function load(visit: Visit): Promise<ServiceData | Response> {
  const [rates, currencies, landing, rules] = await Promise.all([
    visit.client.directions({}),
    visit.client.currencies({}),
    visit.client.landing({}),
    visit.client.rules({}),
  ]);
  const direction = rates.directions.find(({ slug }) => slug === slugOf(visit)) ?? invalidRoute(visit);
  const other = otherPair(visit, direction);
  if (other) return redirect(pageOf(visit, rates.directions, other, Object.fromEntries(visit.url.searchParams)));
  const { from, to } = direction;
  const [gateways, history] = await Promise.all([
    visit.client.gateways({ currency: from }),
    visit.client.rateHistory({ from, to }),
  ]);
  const shown = shownCurrencies(currencies);
  const [give, get] = [from, to].map((code) => currencies.find((one) => one.code === code) ?? invalidRoute(visit));
  const [gateway] = gateways;
  const reversible = reversibleWords(rules, findCurrency(shown, from), visit.locale);
  const facts: ServiceFacts = {
    direction,
    from: findCurrency(shown, from),
    to: findCurrency(shown, to),
    names: { from: fullName(findCurrency(shown, from), shown), to: fullName(findCurrency(shown, to), shown) },
    payIn: payInOf(gateway),
    payOut: payOutOf(get as NonNullable<typeof get>),
    receiveFields: labelsOfFields(get?.fields ?? []),
    refundFields: labelsOfFields(give?.payer_fields ?? []),
    isVoucherRefund: give?.fields.length === 0,
    ...(gateway && { confirmations: gateway.confirmations }),
    lockMinutes: landing.lock_minutes,
    ...(reversible && { reversible }),
    isSeeded: rates.rates_seeded,
    history,
    similar: similarTo(direction, rates.directions),
  };
  const head = headOf(visit, facts, shortName(direction, shown));
  givePartsTo(head, {
    intro: <Intro facts={facts} />,
    conditions: <Conditions facts={facts} />,
    story: <Story facts={facts} now={visit.now} />,
  });
  return {
    head,
    offered: offeredOf(rates.directions, [direction], rates.rates_at),
    start: await startOf(visit, direction, { from, to }),
  };
}

/** Handles the calculator's form, and redirects to the page of the chosen pair. */
export async function submit(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { directions } = await visit.client.directions({});
  return actOn(visit, form, (query) => pageOf(visit, directions, query, query));
}

/** Returns the URL of the page that shows a pair: the page of its direction, or the home page if there is no such direction. */
function pageOf(visit: Visit, all: readonly Direction[], { from, to }: Pair, query: Readonly<Record<string, string>>): string {
  const found = all.find((one) => one.from === from && one.to === to);
  return found ? pageUrl(visit.locale, 'service', { ...query, slug: found.slug }) : pageUrl(visit.locale, 'home', query);
}

function otherPair({ url }: Visit, { from, to }: Direction): Pair | undefined {
  const [give, get] = [url.searchParams.get('from'), url.searchParams.get('to')];
  return give !== null && get !== null && (give !== from || get !== to) ? { from: give, to: get } : undefined;
}

function headOf(visit: Visit, facts: ServiceFacts, name: string): Head {
  const { direction, names, from, lockMinutes, reversible } = facts;
  const money = (amount: string): string => writeMoney({ amount, currency: from.code }, [from], visit.locale);
  return {
    title: fittingTitle(
      [m.service_head_title(names), m.service_head_title_short(names), m.service_title(names)],
      visit.config.name,
    ),
    description: [
      direction.terms
        ? m.service_description({
            ...names,
            fee: feeOf(facts, visit.locale),
            min: money(direction.min),
            max: money(direction.max),
            minutes: lockMinutes,
          })
        : m.service_description_closed(names),
      ...(reversible ? [reversible.description] : []),
    ].join(' '),
    jsonLd: {
      '@context': 'https://schema.org',
      '@graph': [
        crumbList(visit, name, [{ name: m.nav_directions(), to: pageUrl(visit.locale, 'rates') }]),
        questions(visit, facts),
        ...rateOf(facts),
      ],
    },
  };
}

/**
 * Returns structured data with the rate: the price of one unit of the base currency, without the fee. Empty if there is no rate.
 * https://schema.org/ExchangeRateSpecification
 */
function rateOf({ direction: { rate } }: ServiceFacts): object[] {
  if (!rate) return [];
  return [
    {
      '@type': 'ExchangeRateSpecification',
      currency: rate.base,
      currentExchangeRate: { '@type': 'UnitPriceSpecification', price: rate.value, priceCurrency: rate.quote },
    },
  ];
}

function questions({ locale }: Visit, facts: ServiceFacts): object {
  return {
    '@type': 'FAQPage',
    inLanguage: PREFIX[locale].toLowerCase(),
    mainEntity: questionsOf(facts, locale).map(([name, text]) => ({
      '@type': 'Question',
      name,
      acceptedAnswer: { '@type': 'Answer', text },
    })),
  };
}
