import { setTimeout as sleep } from 'node:timers/promises';
import type { Callback } from '../rail.ts';

const PATIENCE_MS = 2_000;
const PAUSE_MS = 10;

/** The first message that fits, now or within two seconds. Throws where none comes. */
export async function messageOf<C extends Callback>(messages: readonly C[], fits: (message: C) => boolean): Promise<C> {
  for (let waited = 0; waited < PATIENCE_MS; waited += PAUSE_MS) {
    const found = messages.find(fits);
    if (found) return found;
    await sleep(PAUSE_MS);
  }
  throw new Error('No such message came');
}
