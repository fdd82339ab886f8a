import type { Direction } from '../../../../features/calculator/price-breakdown.ts';
import type { CalculatorStart } from '../../../../features/calculator/use-calculator.ts';
import type { Offered } from '../../../../features/calculator/use-live-directions.ts';
import type { Head } from '../../../../server/document/document.ts';
import type { Visit } from '../../../../server/routing/visit.ts';
import { type PageName, pageUrl } from '../../../pages.ts';
import { actOn, startOf } from '../../calculator-data.ts';

/** Data that the browser gets for a page with a calculator. */
export interface DealData {
  readonly head: Head;
  readonly offered: Offered;
  /** First state of the calculator; absent if no direction is available. */
  readonly start?: CalculatorStart;
}

/** Returns the direction that the query names; otherwise the first preferred direction. */
export function chosenOf({ url }: Visit, all: readonly Direction[], preferred: readonly Direction[]): Direction | undefined {
  const [from, to] = [url.searchParams.get('from'), url.searchParams.get('to')];
  return all.find((one) => one.from === from && one.to === to) ?? preferred[0];
}

/** Returns the calculator's first state: a direction with its usual amount; empty without a direction. */
export async function beginWith(visit: Visit, direction: Direction | undefined): Promise<{ start?: CalculatorStart }> {
  if (!direction) return {};
  const { from, to } = direction;
  return { start: await startOf(visit, direction, { from, to }) };
}

/** Returns the directions for which `fits` returns true and which the desk has not switched off, open ones first. */
export function offeredOnes(all: readonly Direction[], fits: (direction: Direction) => boolean): Direction[] {
  const found = all.filter((one) => fits(one) && one.reason !== 'switched_off');
  return [...found.filter(({ open }) => open), ...found.filter(({ open }) => !open)];
}

/** True if a currency is PayPal's. Its payers can take payments back for months, so they need a verified account. */
export const isPayPal = (code: string): boolean => code.startsWith('PAYPAL_');

/** Sorts directions for the calculator: first those in which a visitor can pay without verification. */
export const easiestFirst = (found: readonly Direction[]): Direction[] => [
  ...found.filter(({ from }) => !isPayPal(from)),
  ...found.filter(({ from }) => isPayPal(from)),
];

/** Handles the calculator's form, and redirects back to the same page if the exchange doesn't continue. */
export const submit = (visit: Visit, form: URLSearchParams, page: PageName): Promise<Response> =>
  actOn(visit, form, (query) => pageUrl(visit.locale, page, query));
