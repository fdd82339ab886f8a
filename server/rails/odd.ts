import { log, monotonicMs } from '../platform/index.ts';

/** The same is told again after so long. */
const AGAIN_MS = 3_600_000;
/** Odd values that are remembered as told; the oldest are forgotten. */
const REMEMBERED = 1_000;

const told = new Map<string, number>();

/**
 * Tells that a node or provider said what can't be, and that it was left out: once an hour for one field of one rail, however
 * often it is said. `about`: what people need to find it again, beside the value.
 */
export function tellOdd(rail: string, field: string, about: Readonly<Record<string, unknown>>): void {
  const key = `${rail} ${field}`;
  const now = monotonicMs();
  if (now < (told.get(key) ?? -AGAIN_MS) + AGAIN_MS) return;
  told.delete(key);
  told.set(key, now);
  if (told.size > REMEMBERED) told.delete(told.keys().next().value as string);
  log.alarm('a rail said what can’t be; it was left out', { rail, field, ...about });
}
