import { Problem } from '@kurs/contract';
import { type Fraction, fraction } from '@kurs/money';
import type { Context, Counted } from '../../platform/index.ts';

/** Number of events before each step of the growing work, within a time in seconds. */
export interface Growth {
  readonly steps: readonly number[];
  readonly seconds: number;
}

/** Work demanded for a frequent event. */
export interface Pressure {
  /** Share of the maximum work, 0 to 1. */
  readonly share: Fraction;
  /** Undoes the count. */
  undo(): Promise<void>;
}

/**
 * Counts an event that strangers can cause at will. Nobody is locked out by it; instead it returns the share of the maximum work
 * to demand (0 to 1), and a function that undoes the count after a success.
 */
export async function pressureOf(count: Context['limit'], key: string, { steps, seconds }: Growth): Promise<Pressure> {
  const tries = await Promise.all(steps.map((max) => unlessTooMany(count(`${key}, of ${max}`, { max, seconds }))));
  const counted = tries.filter((one) => one !== undefined);
  const passed = steps.length - counted.length;
  return {
    share: fraction(BigInt(passed), BigInt(steps.length)),
    undo: async () => void (await Promise.all(counted.map((each) => each.undo()))),
  };
}

const unlessTooMany = (counting: Promise<Counted>): Promise<Counted | undefined> =>
  counting.catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'rate_limited') return undefined;
    throw error;
  });

/** Returns the larger of two shares. */
export const larger = (one: Fraction, other: Fraction): Fraction =>
  one.numerator * other.denominator > other.numerator * one.denominator ? one : other;
