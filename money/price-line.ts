import type { Booking } from './component.ts';
import type { Fraction } from './fraction.ts';
import { type Money, type Rounding, add, larger, scaleBy, smaller, zero } from './money.ts';

/** A cost line: percent of an amount plus a fixed sum, within min and cap. All sums are in the unit given. */
export interface CostLine extends Booking {
  readonly code: string;
  /**
   * Base of `percent`: the amount given, or with `got` the amount to be paid out after all lines, as a provider charges the
   * payer.
   */
  readonly of?: 'got';
  readonly percent?: Fraction;
  readonly fixed?: Money;
  readonly min?: Money;
  readonly cap?: Money;
}

/** A discount: percent of the fee up to `cap`, or a fixed sum, in the unit given. */
export interface DiscountLine extends Booking {
  readonly code: string;
  /** With `rest`, `percent` applies to the fee after all other requested discounts. */
  readonly of?: 'rest';
  readonly percent?: Fraction;
  readonly fixed?: Money;
  readonly cap?: Money;
}

/** Returns the amount of a line for a base: its percentage plus its fixed sum, within its bounds. */
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
