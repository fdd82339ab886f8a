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
 * The sample account after what the address says was done with it (`did`), in those units that this desk has and at what
 * it asks and pays at this moment.
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

/** This page after some actions, with what else its address says. */
function addressOf({ pathname, searchParams }: URL, done: readonly Action[]): string {
  const others = new URLSearchParams(searchParams);
  others.delete('did');
  const query = [others.toString(), done.length > 0 && `did=${done.join(',')}`].filter(Boolean).join('&');
  return `${pathname}${query && `?${query}`}#demo`;
}

/** What the sample's exchange gives and brings between an account holder's own wallets; undefined while it is closed. */
async function quoteOf(visit: Visit, ways: readonly Way[], directions: readonly Direction[]): Promise<SampleQuote | undefined> {
  const unitOf = (code: string): string | undefined => ways.find(({ currency }) => currency === code)?.unit;
  const { from, to, amount } = EXCHANGED;
  const open = directions.find((one) => one.open && unitOf(one.from) === from && unitOf(one.to) === to);
  if (!open) return undefined;
  try {
    const asked = { from: open.from, to: open.to, side: 'give', amount, wallet: 'both' } as const;
    const quoted = await visit.client.calculate(asked);
    const give = parse(from, quoted.give.amount);
    return { give, get: parse(to, quoted.get.amount), fee: subtract(give, parse(from, quoted.exchanged.amount)) };
  } catch (error) {
    // Closed by now, or its bounds leave this sum out: the sample does without an exchange.
    if (isCallError(error)) return undefined;
    throw error;
  }
}

/** What sums of a unit are worth by the market's rate of some direction, in dollars or in what stands for one. */
function worthBy(unit: Unit, directions: readonly Direction[]): ((held: Money<Unit>) => Money<'USD'>) | undefined {
  if (unit === 'USDT' || unit.endsWith('_USD'))
    return ({ parts }) => money('USD', rescale(parts, scaleOf(unit), scaleOf('USD'), 'down'));
  const rate = directions.flatMap((one) => one.rate ?? []).find(({ base, quote }) => base === unit && /^USDT?$/.test(quote));
  if (!rate) return undefined;
  const exact = parseRate(rate.base, rate.quote, rate.value);
  return (held) => convert(held, rate.base, exact, 'USD', 'down') as Money<'USD'>;
}
