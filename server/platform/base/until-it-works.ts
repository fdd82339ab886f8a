import { setTimeout as sleep } from 'node:timers/promises';
import { log } from './log.ts';

const PAUSE_MS = 250;

/**
 * Retries `work` until it succeeds, and logs each failure. For steps that a process needs before it can serve, if restarting
 * the process would not help.
 */
export async function untilItWorks<T>(name: string, work: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      log.warn('cannot begin yet', { waitsFor: name, failures, error });
      await sleep(PAUSE_MS);
    }
  }
}
