import type { Visit } from '../../../../server/routing/visit.ts';
import { type CalculatorStart } from '../../../../features/calculator/use-calculator.ts';
import type { Offered } from '../../../../features/calculator/use-live-directions.ts';
import { pageUrl } from '../../../pages.ts';
import { actOn, offeredOf, startOf, walletIn } from '../../calculator-data.ts';
import * as exchangeData from '../../exchange/page.server.ts';

/** Data of an exchange's first step: the calculator with all directions. */
export interface NewOrderData {
  readonly step: 'calculator';
  readonly calculator: CalculatorStart | undefined;
  readonly offered: Offered;
  readonly wallets: readonly { readonly currency: string; readonly available: string }[];
}

const isBegun = ({ url }: Visit): boolean => url.searchParams.has('id');

/** Loads the calculator. If the query has an `id`, loads the step of that calculation, as on the public pages. */
export async function load(visit: Visit): Promise<unknown> {
  if (isBegun(visit)) return exchangeData.load(visit);
  const query = visit.url.searchParams;
  const [{ directions, rates_at: ratesAt }, wallets] = await Promise.all([
    visit.client.directions(walletIn(query)),
    visit.client.wallets({}),
  ]);
  const request = directions.find(({ from, to }) => from === query.get('from') && to === query.get('to'));
  // A link from a wallet's menu names only the currency to send.
  const given = directions.find(({ from, open }) => open && from === query.get('from'));
  const direction = request ?? given ?? directions.find(({ open }) => open) ?? directions[0];
  return {
    step: 'calculator',
    calculator:
      direction && (await startOf(visit, direction, { from: direction.from, to: direction.to, amount: direction.min ?? '' })),
    offered: offeredOf(directions, directions, ratesAt),
    wallets,
  } satisfies NewOrderData;
}

/** Handles the calculator's form, or the form of a later step. */
export function submit(visit: Visit, form: URLSearchParams): Promise<unknown> {
  return isBegun(visit)
    ? exchangeData.submit(visit, form)
    : actOn(visit, form, (query) => pageUrl(visit.locale, 'newOrder', query));
}
