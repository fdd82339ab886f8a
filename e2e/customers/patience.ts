import { setTimeout as pause } from 'node:timers/promises';
import { CallError } from '@kurs/contract/client';

/** How often, and after how many milliseconds, a customer tries again what the desk couldn't do at that moment. */
const PATIENCE = { tries: 10, pause: 3_000 };

/** Does something for a customer who tries again what the desk couldn't do at that moment, as its words ask them to. */
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

/** A rail or a market that is away, a payment that its provider hasn't prepared yet, a smallest amount that has just moved. */
const passes = (error: unknown): boolean =>
  error instanceof CallError &&
  (TRANSIENT.has(error.code) || (error.code === 'validation' && Object.keys(error.errors).join() === 'amount'));
const TRANSIENT: ReadonlySet<string> = new Set(['direction_closed', 'unavailable', 'nothing_due', 'rates_unavailable']);
