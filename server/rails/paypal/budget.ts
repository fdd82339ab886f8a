import { monotonicMs } from '../../platform/index.ts';

/** Lets so many pass within any `ms` milliseconds: each call takes one, and says whether there was one. */
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
