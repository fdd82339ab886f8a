import { setTimeout as sleep } from 'node:timers/promises';
import { Unreachable } from './http.ts';

const PAUSES_MS = [200, 800];

/**
 * Does what only reads, and once more after each of two pauses where no usable answer came: a send that couldn't look
 * first is in doubt until people decide, though nothing was sent. Throws what the last try threw; a "no" is thrown at once.
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
