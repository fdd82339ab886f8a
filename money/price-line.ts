import type { Booking } from './component.ts';
import type { Fraction } from './fraction.ts';
import { type Money, type Rounding, add, larger, scaleBy, smaller, zero } from './money.ts';

/** A cost: percent of an amount plus a fixed sum, at least `min` and at most `cap`. All sums are in the unit given. */
export interface CostLine extends Booking {
  readonly code: string;
  /**
   * Base of `percent`. By default the amount given; with `got` the amount that remains to be paid out after all lines, as some
   * providers charge the payer.
   */
  readonly of?: 'got';
  readonly percent?: Fraction;
  readonly fixed?: Money;
  readonly min?: Money;
  readonly cap?: Money;
}

/** A discount: percent of the fee up to `cap`, or a fixed sum. All sums are in the unit given. */
export interface DiscountLine extends Booking {
  readonly code: string;
  /** Base of `percent`. By default the fee; with `rest` the fee that remains after all other requested discounts. */
  readonly of?: 'rest';
  readonly percent?: Fraction;
  readonly fixed?: Money;
  readonly cap?: Money;
}

/** Returns the amount of a line: its percentage of `base` plus its fixed sum, at least `min` and at most `cap`. */
export function lineAmount(line: CostLine | DiscountLine, base: Money, rounding: Rounding): Money {
  let amount = line.percent ? scaleBy(base, line.percent, rounding) : zero(base.unit);
  if (line.fixed) amount = add(amount, line.fixed);
  return bounded(line, amount);
}

/** Limits an amount to the bounds of a line. */
export function bounded(line: CostLine | DiscountLine, amount: Money): Money {
  const min = 'min' in line && line.min ? larger(amount, line.min) : amount;
  return line.cap ? smaller(min, line.cap) : min;
}
