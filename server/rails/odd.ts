import { log, monotonicMs } from '../platform/index.ts';

/** Minimum interval between identical warnings. */
const AGAIN_MS = 3_600_000;
/** Maximum amount: more minor units than any unit has, which no column could store. */
const MAX_PARTS = 10n ** 36n;
/** Maximum time of a payment: the year 2200. */
const LAST_MS = 7_258_118_400_000;

const reported = new Map<string, number>();

/**
 * Warns that a node or provider sent an impossible value, which was left out. Warns once an hour for one field of one rail.
 * `about`: the value, and data to find it again.
 */
export function reportOdd(rail: string, field: string, about: Readonly<Record<string, unknown>>): void {
  const key = `${rail} ${field}`;
  const now = monotonicMs();
  if (now < (reported.get(key) ?? -AGAIN_MS) + AGAIN_MS) return;
  reported.set(key, now);
  log.alarm('a rail said what can’t be; it was left out', { rail, field, ...about });
}

/** Reads each item of a list. Unreadable ones are left out, with a warning. */
export function readEach<A, B>(rail: string, field: string, many: readonly A[], read: (one: A) => B): B[] {
  return many.flatMap((one) => {
    try {
      return [read(one)];
    } catch (error) {
      reportOdd(rail, field, { one, why: error instanceof Error ? error.message : String(error) });
      return [];
    }
  });
}

/** Validates a parsed amount. Throws a RangeError for an impossible one. */
export function sumOf(parts: bigint): bigint {
  if (parts < 0n || parts > MAX_PARTS) throw new RangeError('a sum that can’t be');
  return parts;
}

/** Returns a time from milliseconds since 1970. Throws a RangeError for an impossible one. */
export function timeOf(ms: number): Date {
  if (!(ms > 0 && ms < LAST_MS)) throw new RangeError('a time that can’t be');
  return new Date(ms);
}
