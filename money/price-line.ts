import type { Booking } from './component.ts';
import type { Fraction } from './fraction.ts';
import { type Money, type Rounding, add, larger, scaleBy, smaller, zero } from './money.ts';

/** A price line: percent of an amount, plus a fixed sum, within min and cap. All sums are in the unit given. */
export interface CostLine extends Booking {
  readonly code: string;
  /**
   * What `percent` is taken of: the amount given, or what is left to be paid out after every line (`got`), as a provider
   * charges the payer.
   */
  readonly of?: 'got';
  readonly percent?: Fraction;
  readonly fixed?: Money;
  readonly min?: Money;
  readonly cap?: Money;
}

/** A discount: percent of the fee, up to `cap`, or a fixed sum, in the unit given. */
export interface DiscountLine extends Booking {
  readonly code: string;
  /** `percent` is of what the fee is after all other discounts as they were asked for, not of the fee. */
  readonly of?: 'rest';
  readonly percent?: Fraction;
  readonly fixed?: Money;
  readonly cap?: Money;
}

/** What a line takes of a base: its percent, its fixed sum, within its bounds. */
export function lineAmount(line: CostLine | DiscountLine, base: Money, rounding: Rounding): Money {
  let amount = line.percent ? scaleBy(base, line.percent, rounding) : zero(base.unit);
  if (line.fixed) amount = add(amount, line.fixed);
  return bounded(line, amount);
}

/** An amount within the bounds of a line. */
export function bounded(line: CostLine | DiscountLine, amount: Money): Money {
  const least = 'min' in line && line.min ? larger(amount, line.min) : amount;
  return line.cap ? smaller(least, line.cap) : least;
}
