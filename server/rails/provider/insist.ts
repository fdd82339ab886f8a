import { setTimeout as sleep } from 'node:timers/promises';
import { Unreachable } from './http.ts';

const PAUSES_MS = [200, 800];

/**
 * Runs a read, and again after each of two pauses while no usable answer comes. A send without its look-up is in doubt until people
 * decide, although nothing was sent. Throws the last try's `Unreachable`, and any other error at once.
 */
export async function insist<T>(read: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      await sleep(pause);
    }
  }
  return read();
}
