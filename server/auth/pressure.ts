import { Problem } from '@kurs/contract';
import { type Fraction, fraction } from '@kurs/money';
import type { Context, Counted } from '../platform/index.ts';

/** How often something happens before each step of what it costs more, within a time in seconds. */
export interface Growth {
  readonly steps: readonly number[];
  readonly seconds: number;
}

/**
 * Counts something that strangers can make happen as often as they like, and so stops nobody: gives the share of all work
 * that it costs by now (0 to 1), and what takes the counting back for what was right.
 */
export function pressureOf(count: Context['limit'], key: string, { steps, seconds }: Growth): { share: Fraction; undo(): void } {
  const counted: Counted[] = [];
  for (const most of steps) {
    try {
      counted.push(count(`${key}, of ${most}`, { most, seconds }));
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'rate_limited')) throw error;
    }
  }
  const passed = steps.length - counted.length;
  return { share: fraction(BigInt(passed), BigInt(steps.length)), undo: () => counted.forEach((each) => each.undo()) };
}

/** The larger of two shares. */
export const larger = (one: Fraction, other: Fraction): Fraction =>
  one.numerator * other.denominator > other.numerator * one.denominator ? one : other;
