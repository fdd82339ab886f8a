// Prices in the contract's form, in figures that add up: give, less fees and costs, plus discounts, is the exchanged amount; that
// amount at the rate, rounded down, is get.

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

/** Returns an amount as a decimal with all its digits, and at least as many as payments in the currency have. */
export function moneyWire({ currency, unit, parts }: Named & Pick<Side, 'parts'>): { amount: string; currency: string } {
  return { amount: format(money(unit, parts), digitsOf(currency)), currency };
}

const digitsOf = (currency: string): number => currencyOf(currency)?.payDigits ?? 0;

/** Returns a price's components in the contract's form. They are stated in the currency of the given side. */
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

/**
 * Returns an order's price: as booked or, until it is booked, as promised. If the booked price differs from the promised one,
 * returns both.
 */
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

/**
 * Returns the price of a buy-back, in which the customer gives the amount got back. They get at most the amount that they
 * originally gave.
 */
function boughtBackWire(give: Side, get: Side, { price, parts }: BoughtBack): NonNullable<Order['bought_back']> {
  const { breakdown } = price;
  const lines = { components: componentsOf(breakdown), exchanged: breakdown.exchanged.parts, rate: breakdown.rate };
  const figures = figuresOf({ ...lines, give: { ...get, parts: breakdown.give.parts }, get: { ...give, parts } });
  return { ...figures, ...(parts < breakdown.get.parts && { is_max: true }) };
}

/** Returns an offer's price: the exchanged amount, its lines and its rate. */
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
