import { type Fraction, fraction, percent } from '@kurs/money';
import { half, larger, less, smaller } from './share.ts';

/** Data of a currency that customers see. `CurrencyInfo` has the data of its rail. */
export interface Currency {
  readonly code: string;
  readonly name: string;
  readonly kind: 'crypto' | 'ewallet';
  readonly confirmations: string;
  readonly position: number;
  /** Code by which exchange monitors know the currency; null if it isn't in the rates feed. */
  readonly feedCode: string | null;
}

/** Format of the codes by which exchange monitors know currencies. */
export const FEED_CODE = /^[A-Z0-9]{2,20}$/;

/** One step of the fee: `percent` applies to amounts given from `from` on (a decimal in the unit given). */
export interface Spread {
  readonly from: string;
  readonly percent: string;
}

/**
 * A cost line as an operator writes it. `percent`: percentage of the amount given. `fixed`: a fixed sum. `min` and `cap`: bounds
 * of the cost. Sums are decimals in the unit given.
 */
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
  /** Time at which this version of the direction was stored; undefined if it isn't stored. */
  readonly at?: Date;
}

/** Maximum share of the fee that all discounts together may take. */
const GREATEST_DISCOUNT: Fraction = fraction(1n, 2n);

/**
 * Returns the smallest share of an amount that the desk keeps in a direction. Discounts take at most half of the fee, so the desk
 * keeps half of the smallest fee step. It keeps at least the minimum margin, or the whole step if the step is below that margin.
 */
export function retainedShare(direction: Pick<Direction, 'spread'>, marginPercent: string): Fraction {
  const steps = direction.spread.map((step) => percent(step.percent));
  const smallest = steps.reduce(smaller);
  return larger(half(smallest, GREATEST_DISCOUNT), smaller(smallest, percent(marginPercent)));
}

/** An exchange between two units. `best`: the largest share of the value that a customer can have after the exchange. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly best: Fraction;
}

/** Returns a direction as an exchange between the units of its currencies. */
export function edgeOf(direction: Pick<Direction, 'spread'>, from: string, to: string, marginPercent: string): Edge {
  return { from, to, best: less(fraction(1n, 1n), retainedShare(direction, marginPercent)) };
}

/** The number 1 in `cyclesThatGain`, which computes with 40 decimals. Products are rounded up, so no gaining cycle is missed. */
const ONE = 10n ** 40n;

/**
 * Finds a cycle of exchanges after which a customer has at least as much as before. The directions of such a cycle must not all
 * be open. Returns the units on the cycle; undefined if there is none.
 *
 * Uses the Floyd–Warshall algorithm, with products in place of sums. The nodes are units and not currencies, because wallets,
 * settlements and refunds move money of one unit freely between its currencies. Market rates can be ignored: along a cycle they
 * cancel out, as each is rounded in favour of the desk.
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
    // Stops at the first gaining cycle: longer paths could pass through that cycle again and again.
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
