import { monotonicMs } from '../../platform/index.ts';

/** Opens a budget of `max` calls within any `ms` milliseconds. Each call takes one and returns true, or false if none is left. */
export function openBudget(max: number, ms: number, now: () => number = monotonicMs): () => boolean {
  const taken: number[] = [];
  return () => {
    const at = now();
    while (taken.length > 0 && (taken[0] as number) <= at - ms) taken.shift();
    if (taken.length >= max) return false;
    taken.push(at);
    return true;
  };
}
