import type { Fraction } from '@kurs/money';
import type { Minute } from './store.ts';

const MOVE_MINUTES = 15;
/** Moves and deviations are counted in millionths: 0.0001 % is finer than any spread. */
const MILLION = 1_000_000n;
/** Moves are squared at a finer step, so that rounding them loses nothing that shows. */
const FINE = 1_000_000_000n;

/**
 * Returns the deviation of 15-minute moves, the larger of the last hour's and the last day's, in millionths of the price, rounded
 * up. It is the root of the mean square around zero, since a steady drift is a risk too. Takes the price by the minute; a move
 * counts if both of its ends are known. 0 without moves.
 */
export function deviation(minutes: readonly Minute[], now: Date): bigint {
  const byMinute = new Map(minutes.map((one) => [one.minute, one.mid]));
  const current = Math.floor(now.getTime() / 60_000);
  const within = (length: number): bigint => {
    const squares: bigint[] = [];
    for (let end = current - length + 1; end <= current; end += 1) {
      const [before, after] = [byMinute.get(end - MOVE_MINUTES), byMinute.get(end)];
      if (before && after) squares.push(square(moved(before, after)));
    }
    return squares.length === 0 ? 0n : rootMean(squares);
  };
  const [hour, day] = [within(60), within(24 * 60)];
  return hour > day ? hour : day;
}

/** (after − before) ÷ before in billionths. */
function moved(before: Fraction, after: Fraction): bigint {
  const [old, fresh] = [before.numerator * after.denominator, after.numerator * before.denominator];
  return ((fresh - old) * FINE) / old;
}

const square = (value: bigint): bigint => value * value;

/** √(sum ÷ count), from billionths squared to millionths, rounded up. */
function rootMean(squares: readonly bigint[]): bigint {
  const sum = squares.reduce((total, one) => total + one, 0n);
  const step = square(FINE / MILLION) * BigInt(squares.length);
  return rootUp((sum + step - 1n) / step);
}

/** The smallest whole number whose square is at least `value` (Newton's method on integers). */
export function rootUp(value: bigint): bigint {
  if (value <= 1n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) break;
    root = next;
  }
  return root * root >= value ? root : root + 1n;
}

/** Millionths as percent: 1 070 → `"0.1070"`. */
export function percentOfMillionths(millionths: bigint): string {
  const text = millionths.toString().padStart(5, '0');
  return `${text.slice(0, -4)}.${text.slice(-4)}`;
}
