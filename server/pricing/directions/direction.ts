import { type Fraction, fraction, percent } from '@kurs/money';
import { half, larger, less, smaller } from './share.ts';

/** A currency as customers see it. Its rail states the rest (`CurrencyInfo`). */
export interface Currency {
  readonly code: string;
  readonly name: string;
  readonly kind: 'crypto' | 'ewallet';
  readonly confirmations: string;
  readonly position: number;
  /** Code by which exchange monitors know it; null: it isn't in the rates feed. */
  readonly feedCode: string | null;
}

/** Format of the codes by which monitors know currencies. */
export const FEED_CODE = /^[A-Z0-9]{2,20}$/;

/** One step of the fee: its percentage, and the amount given from which it applies (a decimal in the unit given). */
export interface Spread {
  readonly from: string;
  readonly percent: string;
}

/** A cost line as an operator writes it: percent of the amount, fixed sum and bounds; decimals in the unit given. */
export interface DirectionCost {
  readonly code: string;
  readonly percent?: string | undefined;
  readonly fixed?: string | undefined;
  readonly min?: string | undefined;
  readonly cap?: string | undefined;
}

export interface Direction {
  readonly slug: string;
  readonly from: string;
  readonly to: string;
  readonly spread: readonly Spread[];
  readonly costs: readonly DirectionCost[];
  readonly min: string | null;
  readonly max: string | null;
  readonly isOn: boolean;
  readonly position: number;
  readonly version: number;
  /** Time at which this version was stored; undefined if it isn't stored. */
  readonly at?: Date;
}

/** Maximum share of the fee that all discounts together may take. */
const GREATEST_DISCOUNT: Fraction = fraction(1n, 2n);

/**
 * Returns the smallest share of an amount that the desk keeps in a direction: half of its smallest fee step (after the greatest
 * discount), and at least the minimum margin as far as the step covers it.
 */
export function retainedShare(direction: Pick<Direction, 'spread'>, marginPercent: string): Fraction {
  const steps = direction.spread.map((step) => percent(step.percent));
  const smallest = steps.reduce(smaller);
  return larger(half(smallest, GREATEST_DISCOUNT), smaller(smallest, percent(marginPercent)));
}

/** An exchange between two units: the largest share of the value that a customer can be left with. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly best: Fraction;
}

/** Returns the edge of a direction between the units of its currencies. */
export function edgeOf(direction: Pick<Direction, 'spread'>, from: string, to: string, marginPercent: string): Edge {
  return { from, to, best: less(fraction(1n, 1n), retainedShare(direction, marginPercent)) };
}

/** Scale of products: 40 digits, rounded up towards a gain. A table that passes therefore gains nowhere. */
const ONE = 10n ** 40n;

/**
 * Finds a cycle of exchanges that returns to a customer at least what they began with; such a table must not go live. Returns the
 * units on the cycle, or undefined. The nodes are units, since wallets, settlement and refunds move a unit freely. Market rates
 * cancel out along a cycle, since each is rounded towards the desk. Uses the Floyd–Warshall algorithm, with products in place of
 * sums.
 */
export function cyclesThatGain(edges: readonly Edge[]): string[] | undefined {
  const units = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const best = new Map<string, Map<string, { factor: bigint; path: string[] }>>(units.map((unit) => [unit, new Map()]));
  const offer = (from: string, to: string, factor: bigint, path: () => string[]): void => {
    const known = best.get(from)?.get(to);
    if (!known || factor > known.factor) best.get(from)?.set(to, { factor, path: path() });
  };
  const gains = (): string[] | undefined =>
    units.map((unit) => best.get(unit)?.get(unit)).find((cycle) => cycle !== undefined && cycle.factor >= ONE)?.path;
  for (const { from, to, best: share } of edges) {
    offer(from, to, (share.numerator * ONE + share.denominator - 1n) / share.denominator, () => [from, to]);
  }
  for (const middle of units) {
    // Stop at the first gain: longer cycles through it would gain without end.
    const found = gains();
    if (found) return found;
    const seconds = [...(best.get(middle) ?? [])];
    for (const from of units) {
      const first = best.get(from)?.get(middle);
      if (!first) continue;
      for (const [to, second] of seconds) {
        const factor = (first.factor * second.factor + ONE - 1n) / ONE;
        offer(from, to, factor, () => [...first.path, ...second.path.slice(1)]);
      }
    }
  }
  return gains();
}
