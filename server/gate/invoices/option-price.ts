// Price of a payment option: the credit of a payment in the invoice's currency, and the amount that pays what is due. Pure.
//
// Two rates are pinned: from the method's unit to the settlement unit, and from the settlement unit to the invoice's currency.

import {
  type Component,
  type Money,
  PriceError,
  type PriceTerms,
  type Rate,
  assetOf,
  breakdownForGet,
  breakdownForGive,
  convert,
  giveFor,
  larger,
  money,
  roundTo,
  totalOf,
  zero,
} from '@kurs/money';

/** Price at which payments of one option are credited. It is stored with the option and never changes. */
export interface OptionPrice {
  /** Terms from the method's unit to the settlement unit. If both are the same unit, the rate is 1 and there is no spread. */
  readonly terms: PriceTerms;
  /** Middle rate from the settlement unit's asset to the invoice's currency. */
  readonly worth: Rate;
  /** Middle rate from the method's asset to the invoice's currency. */
  readonly mid: Rate;
  /** Asset of the invoice. */
  readonly currency: string;
  /** Digits of amounts in the invoice's currency. */
  readonly digits: number;
  /** True if the store bears spread and costs, so that the buyer is credited at the middle rate. */
  readonly isBorneByStore: boolean;
}

/** Result of one payment at a price. */
export interface Conversion {
  /** Credit in the invoice's currency, in parts. */
  readonly credit: bigint;
  /** Lines of the price, in the method's unit. */
  readonly components: readonly Component[];
  /** Rest of the payment after all lines, which is exchanged. */
  readonly exchanged: bigint;
  /** Amount in the settlement unit, in parts. */
  readonly got: bigint;
}

/** True if the method's unit is the settlement unit, so that nothing is exchanged. */
export const isSameUnit = ({ terms }: OptionPrice): boolean => terms.giveUnit === terms.getUnit;

/**
 * Returns the result of a payment at a price. The credit is rounded down. Undefined for a payment that fee and costs eat, or that
 * brings nothing.
 */
export function converted(price: OptionPrice, parts: bigint): Conversion | undefined {
  const { terms } = price;
  const paid = money(terms.giveUnit, parts);
  const found = orNone(() => breakdownForGive(paid, terms));
  if (!found || found.get.parts === 0n) return undefined;
  const { components, exchanged, get } = found;
  const credit = price.isBorneByStore ? creditAtMid(price, paid) : inInvoice(price, get, price.worth);
  return { credit: credit.parts, components, exchanged: exchanged.parts, got: get.parts };
}

const creditAtMid = (price: OptionPrice, paid: Money): Money => inInvoice(price, paid, price.mid);

/** Converts an amount to the invoice's currency, rounded down to its digits. */
function inInvoice({ currency, digits }: OptionPrice, amount: Money, rate: Rate): Money {
  return roundTo(convert(amount, assetOf(amount.unit), rate, currency, 'down'), digits, 'down');
}

/**
 * Returns the smallest amount, in the method's pay precision, whose credit is at least `due` (parts of the invoice's currency).
 * Undefined if no amount is enough.
 */
export function amountFor(price: OptionPrice, due: bigint): bigint | undefined {
  const { terms, worth, mid, currency, isBorneByStore } = price;
  const wanted = money(currency, due);
  if (isBorneByStore) {
    const give = roundTo(giveFor(wanted, assetOf(terms.giveUnit), mid, terms.giveUnit), terms.giveDigits, 'up');
    const least = leastOf(price);
    if (least === undefined) return undefined;
    return larger(give, money(terms.giveUnit, least)).parts;
  }
  const get = giveFor(wanted, assetOf(terms.getUnit), worth, terms.getUnit);
  return orNone(() => breakdownForGet(get, terms))?.give.parts;
}

/** Returns the smallest payment that credits more than zero, in the method's unit; undefined if costs exceed every amount. */
export function leastOf({ terms }: OptionPrice): bigint | undefined {
  return orNone(() => breakdownForGet(roundTo(money(terms.getUnit, 1n), terms.getDigits, 'up'), terms))?.give.parts;
}

/** Returns spread and costs of a payment, in the invoice's currency, rounded up; undefined for a payment that they eat. */
export function costOf(price: OptionPrice, parts: bigint): bigint | undefined {
  const found = converted(price, parts);
  if (!found) return undefined;
  const { giveUnit } = price.terms;
  const taken = money(giveUnit, totalOf(found.components, 'fee', 'cost'));
  return roundTo(convert(taken, assetOf(giveUnit), price.mid, price.currency, 'up'), price.digits, 'up').parts;
}

/** True if the costs of a payment, without the spread, exceed a share of the sum `due` that it pays, in percent. */
export function costsExceed(price: OptionPrice, parts: bigint, due: bigint, percent: number): boolean {
  const found = converted(price, parts);
  if (!found) return true;
  const { terms, mid, currency } = price;
  const worth = giveFor(money(currency, due), assetOf(terms.giveUnit), mid, terms.giveUnit);
  return totalOf(found.components, 'cost') * 100n > worth.parts * BigInt(percent);
}

/**
 * Returns a price for the part of a payment that is credited separately from the rest. Sums that are charged once per payment
 * are left out, since the rest bears them.
 */
export function withoutFixed(price: OptionPrice): OptionPrice {
  const { terms } = price;
  const costs = terms.costs.map(({ fixed: _fixed, min: _min, ...line }) => line);
  return { ...price, terms: { ...terms, minFee: zero(terms.giveUnit), costs } };
}

function orNone<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof PriceError) return undefined;
    throw error;
  }
}
