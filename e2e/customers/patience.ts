import { setTimeout as pause } from 'node:timers/promises';
import { CallError } from '@kurs/contract/client';

/**
 * Maximum number of tries, and the pause between them in ms, of a customer whose request the desk can't fulfil for the moment.
 */
const PATIENCE = { tries: 10, pause: 3_000 };

/** Calls `work`, and retries like a customer while the desk says that it can't fulfil the request for the moment. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === PATIENCE.tries || !passes(error)) throw error;
      await pause(PATIENCE.pause);
    }
  }
}

/**
 * True for errors that pass: an unavailable rail or market, a payment that its provider hasn't prepared yet, a minimum amount
 * that has just changed.
 */
const passes = (error: unknown): boolean =>
  error instanceof CallError &&
  (TRANSIENT.has(error.code) || (error.code === 'validation' && Object.keys(error.errors).join() === 'amount'));
const TRANSIENT: ReadonlySet<string> = new Set(['direction_closed', 'unavailable', 'nothing_due', 'rates_unavailable']);
