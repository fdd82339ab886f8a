// How fast this machine is just now. On one whose cores are slow, or shared with strangers, the same work has a core for
// longer: what a file may cost is told for the machine on which the bounds were set, and is longer here by this factor.

import { createHash } from 'node:crypto';

/** What the piece of work below costs, in milliseconds of a core, where the bounds were set. */
const USUAL_MS = 12;
const ROWS = 400;
const ROUNDS = 60;
/** The first is slower: what it needs is compiled, or has left the caches while others had the core. */
const TRIES = 5;

/** A piece of work like a test's: objects, JSON, sorting, whole numbers and a hash; gives what it came to. */
function work(): string {
  const hash = createHash('sha256');
  for (let round = 0; round < ROUNDS; round += 1) {
    const rows = Array.from({ length: ROWS }, (_, at) => ({
      id: `${(at * 7_919 + round) % ROWS}`,
      parts: 10n ** BigInt(at % 30),
    }));
    const sorted = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, parts }) => ({ id, parts: parts.toString() }));
    hash.update(JSON.stringify(JSON.parse(JSON.stringify(sorted))));
  }
  return hash.digest('hex');
}

/** Does a piece of work some times, and gives how many times longer than usual the quickest of them had a core. */
export function slownessNow(): number {
  const tries = Array.from({ length: TRIES }, () => {
    const begin = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(begin);
    return (user + system) / 1_000;
  });
  return Math.min(...tries) / USUAL_MS;
}

/** How slow a machine was by what it showed from time to time: the middle of that, and never faster than usual. */
export function slowness(shown: readonly number[]): number {
  const sorted = shown.toSorted((a, b) => a - b);
  return Math.max(1, sorted[sorted.length >> 1] ?? 1);
}
