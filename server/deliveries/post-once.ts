// Sends one event without the queue, so that it works while the database is unavailable.

import { newId, wallClock } from '../platform/index.ts';
import type { DeliveryKind } from './kind.ts';
import { isTaken, openPost } from './post.ts';
import { writtenAs } from './webhook.ts';

/** Posts an event to an address once. `kind`: a kind of webhooks that needs no secrets. Throws if the event is not accepted. */
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
