import type { Output, Routes } from '@kurs/contract';
import { type Money, type Unit, convert, money, parse, parseRate, rescale, scaleOf, subtract } from '@kurs/money';
import { isCallError } from '../../../../server/document/failure.ts';
import type { Visit } from '../../../../server/routing/visit.ts';
import type { Rules } from '../solution-words.ts';
import type { Demo } from './wallet-demo.tsx';
import { type Action, type SampleQuote, EXCHANGED, SAMPLE, accountAfter, actionsIn } from './wallet-sample.ts';

type Direction = Output<Routes['directions']>['directions'][number];
type Way = Rules['ways'][number];

/**
 * Returns the sample account after the actions in the URL's parameter `did`, with the units that this desk offers and their
 * current prices.
 */
export async function demoOf(visit: Visit, ways: readonly Way[], directions: readonly Direction[]): Promise<Demo> {
  const worths = new Map<string, (held: Money<Unit>) => Money<'USD'>>();
  const currencies = new Map<string, string>();
  for (const { total } of SAMPLE.wallets) {
    const way = ways.find(({ unit }) => unit === total.unit);
    const worth = worthBy(total.unit, directions);
    if (way && worth) {
      currencies.set(total.unit, way.currency);
      worths.set(total.unit, worth);
    }
  }
  const isHere = (sum: Money | undefined): boolean => sum === undefined || currencies.has(sum.unit);
  const begin = {
    ...SAMPLE,
    wallets: SAMPLE.wallets.filter(({ total }) => isHere(total)),
    movements: SAMPLE.movements.filter(({ gone, come }) => isHere(gone) && isHere(come)),
  };
  const quote = await quoteOf(visit, ways, directions);
  const account = accountAfter(begin, actionsIn(visit.url.searchParams.get('did')), quote);
  return {
    account,
    quote,
    currencyOf: (unit) => currencies.get(unit) ?? unit,
    worthOf: (held) => worths.get(held.unit)?.(held) ?? money('USD', 0n),
    to: (done) => addressOf(visit.url, done),
  };
}

/** Returns the URL of this page after some actions. The query's other parameters stay. */
function addressOf({ pathname, searchParams }: URL, done: readonly Action[]): string {
  const others = new URLSearchParams(searchParams);
  others.delete('did');
  const query = [others.toString(), done.length > 0 && `did=${done.join(',')}`].filter(Boolean).join('&');
  return `${pathname}${query && `?${query}`}#demo`;
}

/** Returns the quote for the sample's exchange between two wallets of the account; undefined if it is not offered now. */
async function quoteOf(visit: Visit, ways: readonly Way[], directions: readonly Direction[]): Promise<SampleQuote | undefined> {
  const unitOf = (code: string): string | undefined => ways.find(({ currency }) => currency === code)?.unit;
  const { from, to, amount } = EXCHANGED;
  const open = directions.find((one) => one.open && unitOf(one.from) === from && unitOf(one.to) === to);
  if (!open) return undefined;
  try {
    const request = { from: open.from, to: open.to, side: 'give', amount, wallet: 'both' } as const;
    const quoted = await visit.client.calculate(request);
    const give = parse(from, quoted.give.amount);
    return { give, get: parse(to, quoted.get.amount), fee: subtract(give, parse(from, quoted.exchanged.amount)) };
  } catch (error) {
    // The direction may just have been closed, or the amount lies outside its limits. Then the sample offers no exchange.
    if (isCallError(error)) return undefined;
    throw error;
  }
}

/**
 * Returns a function that computes the value of an amount in USD, by the current rate of the unit to USD or USDT. Returns
 * undefined if there is no such rate.
 */
function worthBy(unit: Unit, directions: readonly Direction[]): ((held: Money<Unit>) => Money<'USD'>) | undefined {
  if (unit === 'USDT' || unit.endsWith('_USD'))
    return ({ parts }) => money('USD', rescale(parts, scaleOf(unit), scaleOf('USD'), 'down'));
  const rate = directions.flatMap((one) => one.rate ?? []).find(({ base, quote }) => base === unit && /^USDT?$/.test(quote));
  if (!rate) return undefined;
  const exact = parseRate(rate.base, rate.quote, rate.value);
  return (held) => convert(held, rate.base, exact, 'USD', 'down') as Money<'USD'>;
}
