import { log, monotonicMs } from '../platform/index.ts';

/** The same is told again after so long. */
const AGAIN_MS = 3_600_000;
/** More than any unit has parts: a sum beyond it is none, and no row could keep it. */
const MOST_PARTS = 10n ** 36n;
/** No payment of ours is younger than this: the year 2200. */
const LAST_MS = 7_258_118_400_000;

const told = new Map<string, number>();

/**
 * Tells that a node or provider said what can't be, and that it was left out: once an hour for one field of one rail, however
 * often it is said. `about`: what people need to find it again, beside the value.
 */
export function tellOdd(rail: string, field: string, about: Readonly<Record<string, unknown>>): void {
  const key = `${rail} ${field}`;
  const now = monotonicMs();
  if (now < (told.get(key) ?? -AGAIN_MS) + AGAIN_MS) return;
  told.set(key, now);
  log.alarm('a rail said what can’t be; it was left out', { rail, field, ...about });
}

/** Reads each of a list; one that can't be read is left out and told. */
export function readEach<A, B>(rail: string, field: string, many: readonly A[], read: (one: A) => B): B[] {
  return many.flatMap((one) => {
    try {
      return [read(one)];
    } catch (error) {
      tellOdd(rail, field, { one, why: error instanceof Error ? error.message : String(error) });
      return [];
    }
  });
}

/** A sum that can be one. Throws a RangeError for one that no unit has. */
export function sumOf(parts: bigint): bigint {
  if (parts < 0n || parts > MOST_PARTS) throw new RangeError('a sum that can’t be');
  return parts;
}

/** A time, of milliseconds since 1970. Throws a RangeError for what is none. */
export function timeOf(ms: number): Date {
  if (!(ms > 0 && ms < LAST_MS)) throw new RangeError('a time that can’t be');
  return new Date(ms);
}
