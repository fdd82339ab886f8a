import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, every, log, monotonicMs, onWake, wallClock } from '../platform/index.ts';
import { OLD_AFTER_MS, type Snapshot } from './snapshot.ts';
import { readNewer } from './store.ts';

/** Interval of polls: new snapshots and a moved clock notify this process; polls find missed ones. */
const POLL_MS = 5_000;
/** After an error, twice as long. */
const RETRY_MS = 500;

let newest: Snapshot | undefined;
let clock: { readonly at: number; readonly seenAt: number } | undefined;

export type RatesWatch = {
  /** Polls now. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Caches the newest snapshot in this process until stopped. If the first read fails, there is none until one succeeds. One per
 * process.
 */
export async function watchRates(db: Db): Promise<RatesWatch> {
  const refresh = async (): Promise<void> => {
    const request = monotonicMs();
    const seen = await readNewer(db, newest?.version ?? 0n);
    // A slow answer must not set the clock back behind a newer one.
    if (!clock || clock.seenAt <= request) clock = { at: seen.now.getTime(), seenAt: request };
    if (seen.snapshot && (!newest || seen.snapshot.version > newest.version)) newest = seen.snapshot;
  };
  await refresh().catch((error: unknown) => log.warn('rates are not known yet', { error }));
  const sweeper = every(POLL_MS, 'rates', refresh, { retryMs: RETRY_MS });
  const deaf = [onWake('rates', () => sweeper.wake()), onWake('clock', () => sweeper.wake())];
  return {
    refresh,
    async stop() {
      for (const stopHearing of deaf) stopHearing();
      await sweeper.stop();
      newest = undefined;
      clock = undefined;
    },
  };
}

/** Returns the newest cached snapshot, or undefined if there is none yet. No database call. */
export function latest(): Snapshot | undefined {
  return newest;
}

/**
 * Returns the product's clock without a database call: the last read time plus the time since. Before the first read it is the
 * machine's clock.
 */
export function now(): Date {
  if (!clock) return wallClock();
  return new Date(clock.at + (monotonicMs() - clock.seenAt));
}

/**
 * Waits until this process has a snapshot taken at or after a moment of the product's clock, with prices of about that moment or
 * later. Returns false if that takes longer than `patienceMs`. After the sandbox's clock was moved, a worker queries rates at
 * once.
 */
export async function untilFresh(since: Date, patienceMs = 15_000): Promise<boolean> {
  const begin = monotonicMs();
  while (!newest || newest.at < since || !isAnswered(newest, since)) {
    if (monotonicMs() - begin > patienceMs) return false;
    await sleep(50);
  }
  return true;
}

/** True if the markets answered for a snapshot: some price of it is young enough to be used. */
function isAnswered({ body }: Snapshot, since: Date): boolean {
  const youngest = Math.max(...Object.values(body.assets).map(({ at }) => (at === undefined ? -Infinity : Date.parse(at))));
  return since.getTime() - youngest <= OLD_AFTER_MS;
}
