import { Problem } from '@kurs/contract';
import { type Fraction, fraction } from '@kurs/money';
import type { Context, Counted } from '../../platform/index.ts';

/** How often something happens before each step of what it costs more, within a time in seconds. */
export interface Growth {
  readonly steps: readonly number[];
  readonly seconds: number;
}

/** What something costs by how often it happened. */
export interface Pressure {
  /** Of all work, 0 to 1. */
  readonly share: Fraction;
  /** Takes the counting back. */
  undo(): Promise<void>;
}

/**
 * Counts something that strangers can make happen as often as they like, and so stops nobody: gives the share of all work
 * that it costs by now (0 to 1), and what takes the counting back for what was right.
 */
export async function pressureOf(count: Context['limit'], key: string, { steps, seconds }: Growth): Promise<Pressure> {
  const tries = await Promise.all(steps.map((most) => unlessTooMany(count(`${key}, of ${most}`, { most, seconds }))));
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

/** The larger of two shares. */
export const larger = (one: Fraction, other: Fraction): Fraction =>
  one.numerator * other.denominator > other.numerator * one.denominator ? one : other;
