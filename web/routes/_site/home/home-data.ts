import type { Output, Routes } from '@kurs/contract';
import { readTyped } from '@kurs/money';
import { redirect } from 'react-router';
import { findCurrency } from '../../../features/currency.ts';
import type { Direction } from '../../../features/calculator/slip.ts';
import type { CalculatorStart } from '../../../features/calculator/use-calculator.ts';
import { m } from '../../../features/words.ts';
import type { Head } from '../../../server/document.ts';
import { shownCurrencies } from '../../../server/currencies.ts';
import { isCallError } from '../../../server/failure.ts';
import type { Visit } from '../../../server/visit.ts';
import { pageUrl } from '../../pages.ts';
import { calculationCookie, CALCULATION_SECONDS } from '../exchange/calculation-cookie.ts';

type Landing = Output<Routes['landing']>;

export interface HomeData {
  readonly head: Head;
  readonly directions: readonly Direction[];
  readonly ratesAt?: string;
  readonly ratesSeeded: boolean;
  readonly latestOrders: Landing['latest_orders'];
  readonly lockMinutes: number;
  readonly quoteMinutes: number;
  readonly start: CalculatorStart;
}

/** Everything the home page shows; with `from`, `to`, `amount` and `side` in the query the calculator starts there. */
export async function load(visit: Visit): Promise<HomeData> {
  const [landing, rates] = await Promise.all([visit.client.landing({}), visit.client.directions({})]);
  const { directions } = rates;
  return {
    head: homeHead(visit),
    directions,
    ...(rates.rates_at === undefined ? {} : { ratesAt: rates.rates_at }),
    ratesSeeded: rates.rates_seeded,
    latestOrders: landing.latest_orders,
    lockMinutes: landing.lock_minutes,
    quoteMinutes: landing.quote_minutes,
    start: await startOf(visit, directions, landing.hero),
  };
}

function homeHead(visit: Visit): Head {
  return {
    title: m.home_head_title(),
    description: m.home_head_description(),
    jsonLd: { '@context': 'https://schema.org', '@type': 'WebSite', name: visit.config.name, url: visit.config.url },
  };
}

/** What the calculator starts with, and the server’s quote of it. Nonsense in the query starts as if it were not there. */
async function startOf(visit: Visit, directions: readonly Direction[], hero: Landing['hero']): Promise<CalculatorStart> {
  const query = visit.url.searchParams;
  const asked = directions.find(({ from, to }) => from === query.get('from') && to === query.get('to'));
  const direction = asked ?? directions.find(({ from, to }) => from === hero.from && to === hero.to) ?? directions[0];
  const side = query.get('side') === 'get' ? 'get' : 'give';
  const given = query.get('amount') ?? '';
  const isHero = direction?.from === hero.from && direction.to === hero.to;
  const wellFormed = /^(0|[1-9][0-9]{0,20})(\.[0-9]{1,18})?$/.test(given);
  const amount = wellFormed ? given : isHero ? hero.amount : (direction?.min ?? hero.amount);
  const start = {
    from: direction?.from ?? hero.from,
    to: direction?.to ?? hero.to,
    side: wellFormed ? side : 'give',
    amount,
  } as const;
  if (!direction?.open) return start;
  try {
    return { ...start, quote: await visit.client.calculate({ from: start.from, to: start.to, amount, side: start.side }) };
  } catch (error) {
    if (!isCallError(error)) throw error;
    return { ...start, message: error.errors['amount']?.[0] ?? error.message };
  }
}

/** The calculator’s form: `continue` begins a calculation, `swap` and `calculate` come back with other figures. */
export async function act(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { from, to, side, amount } = await readForm(visit, form);
  const home = (query: Record<string, string>): Response => redirect(pageUrl(visit.locale, 'home', query), 303);
  if (form.get('intent') === 'swap') return home({ from: to, to: from });
  const here = home({ from, to, side, amount });
  if (form.get('intent') === 'calculate' || amount === '') return here;
  try {
    const calculation = await visit.client.step1({ from, to, amount, side });
    if (calculation.token) visit.setCookie(calculationCookie(calculation.id), calculation.token, CALCULATION_SECONDS);
    return redirect(pageUrl(visit.locale, 'exchange', { id: calculation.id, step: '2' }), 303);
  } catch (error) {
    // The page says what is wrong: it asks for the same quote and gets the same answer.
    if (isCallError(error) && error.status < 500 && error.status !== 429) return here;
    throw error;
  }
}

interface Asked {
  readonly from: string;
  readonly to: string;
  readonly side: 'give' | 'get';
  readonly amount: string;
}

/** Reads the form as people type. Without a script the side that was changed is the one that was meant. */
async function readForm(visit: Visit, form: URLSearchParams): Promise<Asked> {
  const currencies = await visit.client.currencies({});
  const known = (code: string | null): string =>
    currencies.find((currency) => currency.code === code)?.code ?? currencies[0]?.code ?? '';
  const from = known(form.get('from'));
  const to = known(form.get('to'));
  const changed = (side: 'give' | 'get'): boolean => form.has(`was_${side}`) && form.get(side) !== form.get(`was_${side}`);
  const side = form.get('side') === 'get' || (!form.has('side') && changed('get') && !changed('give')) ? 'get' : 'give';
  const digits = findCurrency(shownCurrencies(currencies), side === 'give' ? from : to).payDigits;
  return { from, to, side, amount: readTyped((form.get(side) ?? '').slice(0, 60), visit.locale, digits) ?? '' };
}
