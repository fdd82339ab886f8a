// What is stated of a price, in figures that add up: give, less fees and costs, with discounts, is what is exchanged; at
// the rate, rounded down, it is get.

import type { Output, Routes } from '@kurs/contract';
import { type Component, format, money } from '@kurs/money';
import { currencyOf } from '../../payments/index.ts';
import { componentsWire, rateWire } from '../../pricing/index.ts';
import { componentsOf, differ, promisedOf, shownOf } from '../order/money/breakdown.ts';
import type { BoughtBack, Exchange, Offer, OrderView, Side } from '../order/order.ts';

type Order = Exclude<Output<Routes['trackOrder']>, { link_mailed: true }>;
type Figures = NonNullable<Order['promised']>;
type Lines = Pick<Figures, 'fees' | 'discounts'>;
type Named = Pick<Side, 'currency' | 'unit'>;

/** An amount as it is paid: no shorter than its currency's pay precision, and never rounded. */
export function moneyWire({ currency, unit, parts }: Named & Pick<Side, 'parts'>): { amount: string; currency: string } {
  return { amount: format(money(unit, parts), digitsOf(currency)), currency };
}

const digitsOf = (currency: string): number => currencyOf(currency)?.payDigits ?? 0;

/** Components in figures. `side`: the currency that they are of. */
function linesWire(components: readonly Component[], { currency, unit }: Named): Lines {
  const { fees, discounts } = componentsWire(components, { currency, unit, digits: digitsOf(currency) });
  return { fees, ...(discounts.length > 0 && { discounts }) };
}

function figuresOf({ give, get, exchanged, rate, components }: FiguresInput): Figures {
  return {
    give: moneyWire(give),
    get: moneyWire(get),
    rate: rateWire(rate),
    ...linesWire(components, give),
    exchanged: moneyWire({ ...give, parts: exchanged }),
  };
}

type FiguresInput = Pick<Exchange, 'exchanged' | 'rate' | 'components'> & { readonly give: Side; readonly get: Side };

/** An order's price as it was booked, else as it was promised; where the two differ, both. */
export function orderPriceWire(
  view: OrderView,
): Pick<Order, 'give' | 'get' | 'rate' | 'fees' | 'discounts' | 'exchanged' | 'promised' | 'bought_back'> {
  const { give, get, facts } = view;
  const shown = shownOf(view);
  if (!shown || !get) return { give: moneyWire(give), ...(get && view.kind === 'order' && { get: moneyWire(get) }), fees: [] };
  const figures = (price: Exchange): Figures =>
    figuresOf({ ...price, give: { ...give, parts: price.give }, get: { ...get, parts: price.got } });
  const promised = promisedOf(view);
  return {
    ...figures(shown),
    ...(promised && differ(shown, promised) && { promised: figures(promised) }),
    ...(facts.boughtBack && { bought_back: boughtBackWire(give, get, facts.boughtBack) }),
  };
}

/** The way back of what could not be delivered: what was got is given, for at most what it had been got for. */
function boughtBackWire(give: Side, get: Side, { price, parts }: BoughtBack): NonNullable<Order['bought_back']> {
  const { breakdown } = price;
  const lines = { components: componentsOf(breakdown), exchanged: breakdown.exchanged.parts, rate: breakdown.rate };
  const figures = figuresOf({ ...lines, give: { ...get, parts: breakdown.give.parts }, get: { ...give, parts } });
  return { ...figures, ...(parts < breakdown.get.parts && { most: true }) };
}

/** An offer's price: what is exchanged by it, its lines and its rate. */
export function offerPriceWire(
  { give, get }: OrderView,
  offer: Offer,
): Pick<Order['choices'][number], 'give' | 'rate' | 'fees' | 'discounts'> {
  const side = offer.choice === 'take_back' ? (get ?? give) : give;
  return {
    give: moneyWire({ ...side, parts: offer.breakdown.give.parts }),
    rate: rateWire(offer.breakdown.rate),
    ...linesWire(componentsOf(offer.breakdown), side),
  };
}
