// One event past the queue, for what must be told while the database is away.

import { newId, wallClock } from '../platform/index.ts';
import type { DeliveryKind } from './kind.ts';
import { isTaken, openPost } from './post.ts';
import { writtenAs } from './webhook.ts';

/** Posts an event of a kind without secrets to an address, once. Throws if it is not taken. */
export async function postOnce(kind: DeliveryKind, url: string, event: { type: string; body: unknown }): Promise<void> {
  const poster = openPost();
  try {
    const written = writtenAs(kind, { id: newId(), at: wallClock(), ...event }, []);
    const outcome = await poster.post({ url, mayBePrivate: kind.mayBePrivate, ...written });
    if (!isTaken(outcome)) throw new Error(outcome.error ?? `answered ${outcome.status}`);
  } finally {
    await poster.close();
  }
}
