import { type Fraction, fraction, percent } from '@kurs/money';
import { half, larger, less, smaller } from './share.ts';

/** A currency as customers know it, joined with what its rail says of it. */
export interface Currency {
  readonly code: string;
  readonly name: string;
  readonly kind: 'crypto' | 'ewallet';
  readonly confirmations: string;
  readonly position: number;
  /** What exchange monitors call it; null: it isn't in the rates feed. */
  readonly feedCode: string | null;
}

/** A code that monitors give a currency. */
export const FEED_CODE = /^[A-Z0-9]{2,20}$/;

/** One step of a list price: from this amount given (a decimal in the unit given) this percent. */
export interface Spread {
  readonly from: string;
  readonly percent: string;
}

/** A cost line as an operator writes it: percent of the amount, fixed sum, bounds; decimals in the unit given. */
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
  /** When that version was stored; undefined for one that isn't. */
  readonly at?: Date;
}

/** All discounts together take at most half of the list price. */
const GREATEST_DISCOUNT: Fraction = fraction(1n, 2n);

/**
 * The least share of an amount that the desk keeps of an exchange in a direction: half of its smallest spread step after
 * the greatest cut, and never less than what is kept whatever the discounts (as far as the step gives that much).
 */
export function keptShare(direction: Pick<Direction, 'spread'>, marginPercent: string): Fraction {
  const steps = direction.spread.map((step) => percent(step.percent));
  const smallest = steps.reduce(smaller);
  return larger(half(smallest, GREATEST_DISCOUNT), smaller(smallest, percent(marginPercent)));
}

/** An exchange between two units at the best that a customer can get: the share of the value that they are left with. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly best: Fraction;
}

/** The edge of a direction between the units of its currencies. */
export function edgeOf(direction: Pick<Direction, 'spread'>, from: string, to: string, marginPercent: string): Edge {
  return { from, to, best: less(fraction(1n, 1n), keptShare(direction, marginPercent)) };
}

/** Products are counted to 40 digits and rounded up, towards a gain: a table that passes gains nowhere. */
const ONE = 10n ** 40n;

/**
 * Whether some cycle of exchanges gives a customer back at least what they began with: then the table must
 * not go live. Units are the nodes, since wallets, settlement and refunds move a unit freely; the market's rates cancel
 * out along a cycle, since each is cut towards the desk. Gives the units on one such cycle, or undefined.
 * Floyd and Warshall's algorithm on products in place of sums.
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
    // Once a cycle gains, longer ones would gain without end.
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
