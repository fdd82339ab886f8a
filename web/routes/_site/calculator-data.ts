import { AMOUNT } from '@kurs/contract/wire';
import { readTyped } from '@kurs/money';
import { redirect } from 'react-router';
import { findCurrency } from '../../features/currency.ts';
import { packPairs } from '../../features/calculator/offers.ts';
import { couponRefusal } from '../../features/calculator/coupon-refusal.ts';
import type { Direction } from '../../features/calculator/price-breakdown.ts';
import { restOf } from '../../features/rest-of.ts';
import { usualAmount } from '../../features/calculator/usual-amount.ts';
import type { CalculatorStart } from '../../features/calculator/use-calculator.ts';
import type { Offered } from '../../features/calculator/use-live-directions.ts';
import { shownCurrencies } from '../../server/document/currencies.ts';
import { isCallError } from '../../server/document/failure.ts';
import { storedReference } from '../../server/routing/entry-link.ts';
import type { Visit } from '../../server/routing/visit.ts';
import { pageUrl } from '../pages.ts';
import { flowAt } from './exchange/flow.ts';
import { signInFirst } from './exchange/sign-in-first.ts';
import { calculationCookie, CALCULATION_SECONDS } from './exchange/calculation-cookie.ts';

export interface Pair {
  readonly from: string;
  readonly to: string;
}

/**
 * Pair that the calculator starts with. `amount` is used if the query has no amount; if absent, the direction's usual amount is
 * used.
 */
export type Beginning = Pair & { readonly amount?: string };

/**
 * Prepares all directions for a page: those in `shown` in full except for `changed_at`, in the order of `shown`; all others
 * packed as pairs without prices.
 */
export function offeredOf(all: readonly Direction[], shown: readonly Direction[], ratesAt: string | undefined): Offered {
  const slugs = new Set(shown.map(({ slug }) => slug));
  return {
    directions: shown.map(({ changed_at: _at, ...reported }) => reported),
    others: packPairs(all.filter(({ slug }) => !slugs.has(slug))),
    ...(ratesAt === undefined ? {} : { ratesAt }),
  };
}

/**
 * Returns the calculator's first state, with the server's quote. The pair comes from `begin`; `amount`, `side`, `wallet` and
 * `coupon` come from the query. Invalid values are ignored, except that `typed` is the text of an amount that could not be read.
 */
export async function startOf(visit: Visit, direction: Direction | undefined, begin: Beginning): Promise<CalculatorStart> {
  const query = visit.url.searchParams;
  const given = query.get('amount') ?? '';
  const wellFormed = AMOUNT.test(given);
  const typed = wellFormed ? null : query.get('typed');
  const pair = {
    from: begin.from,
    to: begin.to,
    side: query.get('side') === 'get' ? 'get' : 'give',
    ...walletIn(query),
    // A page without a query is cached for all visitors, so it must not contain the affiliate of a single visitor.
    ...(visit.url.search === '' ? {} : storedReference(visit)),
    ...couponIn(query),
  } as const;
  if (typed !== null) return { ...pair, amount: '', typed: typed.slice(0, MAX_TYPED) };
  const start = {
    ...pair,
    side: wellFormed ? pair.side : 'give',
    amount: wellFormed ? given : (begin.amount ?? (await usualIn(visit, direction))),
  } as const;
  return direction?.open ? quotedStart(visit, start) : start;
}

/**
 * Adds the server's quote to the calculator's first state. If the coupon is refused, the quote is made without the coupon, and
 * `couponRefused` has the reason.
 */
async function quotedStart(visit: Visit, start: CalculatorStart): Promise<CalculatorStart> {
  const { from, to, amount, side, wallet, coupon, ref } = start;
  const request = start.couponRefused ? undefined : coupon;
  try {
    return { ...start, quote: await visit.client.calculate({ from, to, amount, side, wallet, ref, coupon: request }) };
  } catch (error) {
    if (!isCallError(error)) throw error;
    const couponRefused = request && couponRefusal(error);
    if (couponRefused) return quotedStart(visit, { ...start, couponRefused });
    return { ...start, message: restOf(error, () => false) ?? error.message };
  }
}

async function usualIn(visit: Visit, direction: Direction | undefined): Promise<string> {
  if (!direction) return '';
  const currencies = shownCurrencies(await visit.client.currencies({}));
  return usualAmount(direction, findCurrency(currencies, direction.from), findCurrency(currencies, direction.to));
}

/**
 * Handles the calculator's form. The intent `continue` creates a calculation; `swap` and `calculate` redirect back to the
 * calculator with other inputs. `back` returns the URL of the page that shows a pair, with the calculator's inputs in the query.
 */
export async function actOn(
  visit: Visit,
  form: URLSearchParams,
  back: (query: Pair & Readonly<Record<string, string>>) => string,
): Promise<Response> {
  const { from, to, side, amount, typed } = await readForm(visit, form);
  const more = { ...walletIn(form), ...couponIn(form) };
  const isSwap = form.get('intent') === 'swap';
  const pair = isSwap ? { from: to, to: from } : { from, to };
  if (amount === '') return redirect(back({ ...pair, side: isSwap ? 'give' : side, typed, ...more }), 303);
  if (isSwap) {
    const received = await receivedFor(visit, { from, to, side, amount, ...more });
    return redirect(back({ ...pair, side: 'give', amount: received, ...more }), 303);
  }
  const here = redirect(back({ from, to, side, amount, ...more }), 303);
  if (form.get('intent') === 'calculate') return here;
  try {
    const calculation = await visit.client.step1({ from, to, amount, side, ...more, ...storedReference(visit) });
    if (calculation.token) visit.setCookie(calculationCookie(calculation.id), calculation.token, CALCULATION_SECONDS);
    return redirect(pageUrl(visit.locale, flowAt(visit.url.pathname).steps, { id: calculation.id, step: '2' }), 303);
  } catch (error) {
    const signIn = signInFirst(visit, error, { from, to, side, amount, ...more });
    if (signIn) return signIn;
    // The calculator's page then requests the same quote. The server refuses it again, and the page shows the reason.
    if (isCallError(error) && ((more.coupon && couponRefusal(error)) || (error.status < 500 && error.status !== 429)))
      return here;
    throw error;
  }
}

/**
 * Returns the amount that the customer would receive, which becomes the amount to send after a swap. If there is no quote,
 * returns the requested amount.
 */
async function receivedFor(visit: Visit, request: Parameters<Visit['client']['calculate']>[0]): Promise<string> {
  try {
    return (await visit.client.calculate(request)).get.amount;
  } catch (error) {
    if (isCallError(error)) return request.amount;
    throw error;
  }
}

/** Returns the sides for which a query or form names the account holder's wallets. */
export function walletIn(values: URLSearchParams): { wallet?: 'give' | 'get' | 'both' } {
  const said = values.get('wallet');
  return said === 'give' || said === 'get' || said === 'both' ? { wallet: said } : {};
}

/** Returns the coupon code that a query or form names. */
function couponIn(values: URLSearchParams): { coupon?: string } {
  const code = values.get('coupon')?.trim().slice(0, MAX_CODE) ?? '';
  return code === '' ? {} : { coupon: code };
}

interface CalculatorInput extends Pair {
  readonly side: 'give' | 'get';
  /** Amount in canonical form; empty if the typed text is not an amount. */
  readonly amount: string;
  readonly typed: string;
}

/** Maximum length of a typed amount, in characters. */
const MAX_TYPED = 60;

/** Maximum length of a coupon code, in characters. */
const MAX_CODE = 64;

/**
 * Reads the calculator's form, with amounts as people type them. Without JavaScript, the side whose amount was changed determines
 * the other side's amount. If no amount was changed, the determining side stays the same.
 */
async function readForm(visit: Visit, form: URLSearchParams): Promise<CalculatorInput> {
  const currencies = await visit.client.currencies({});
  const known = (code: string | null): string =>
    currencies.find((currency) => currency.code === code)?.code ?? currencies[0]?.code ?? '';
  const from = known(form.get('from'));
  const to = known(form.get('to'));
  const changed = (['give', 'get'] as const).filter(
    (side) => form.has(`was_${side}`) && form.get(side) !== form.get(`was_${side}`),
  );
  const meant = form.get('side') ?? (changed.length === 1 ? changed[0] : form.get('was_side'));
  const side = meant === 'get' ? 'get' : 'give';
  const digits = findCurrency(shownCurrencies(currencies), side === 'give' ? from : to).payDigits;
  const typed = (form.get(side) ?? '').slice(0, MAX_TYPED);
  const amount = readTyped(typed, visit.locale, digits) ?? '';
  return { from, to, side, typed, amount: AMOUNT.test(amount) ? amount : '' };
}
