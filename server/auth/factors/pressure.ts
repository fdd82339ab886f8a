import { Problem } from '@kurs/contract';
import { type Fraction, fraction } from '@kurs/money';
import type { Context, Counted } from '../../platform/index.ts';

/**
 * Growth of the required work of a bot check with the number of events in the last `seconds`. The work rises when the number of
 * events exceeds a number in `steps`.
 */
export interface Growth {
  readonly steps: readonly number[];
  readonly seconds: number;
}

/** Required work of the bot check for an event that strangers may cause. */
export interface Pressure {
  /** Share of the maximum work that is required, 0 to 1. */
  readonly share: Fraction;
  /** Stops counting this event. */
  undo(): Promise<void>;
}

/**
 * Counts an event that strangers can cause as often as they like. The event is never refused, so nobody is locked out. Returns
 * the share of the maximum work to require, which rises with the number of events.
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
