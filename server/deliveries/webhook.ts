// Webhooks: events that are posted to addresses which others choose.

import { type Sealer, type Statements, Unopened, wallClock } from '../platform/index.ts';
import { type SigningSecret, secretsOf } from './secrets.ts';
import type { AttemptFacts, Channel, DeliveryEvent, DeliveryKind } from './kind.ts';
import { type Outcome, type Poster, altered } from './post.ts';

/** Dependencies of webhooks. `sealer`: decrypts the secrets that sign webhooks. */
interface WebhookMeans {
  readonly db: Statements;
  readonly sealer: Sealer;
  readonly poster: Poster;
}

/** Returns the channel of a kind of webhooks. Closing the channel also closes the poster. */
export function webhookChannel(kind: DeliveryKind, { db, sealer, poster }: WebhookMeans): Channel {
  const { kind: name, pauseAfter, canSwitchOff, maxAtOnce, isOrdered = false, mayBePrivate } = kind;
  return {
    ...{ kind: name, pauseAfter, canSwitchOff, maxAtOnce, isOrdered },
    hasAddresses: true,
    async attempt(event, { id, url }, attempt): Promise<Outcome> {
      const secrets = await secretsOf(db, sealer, id).catch(unopened);
      if (!secrets) return altered('a secret of the endpoint was altered by SQL');
      return poster.post({ url, mayBePrivate, ...writtenAs(kind, event, secrets, attempt) });
    },
    close: () => poster.close(),
  };
}

/** Returns undefined for the error of a secret that can't be decrypted; rethrows any other error. */
function unopened(error: unknown): undefined {
  if (error instanceof Unopened) return undefined;
  throw error;
}

/** Returns the body and the headers with which an event is sent now, in the form of its kind. */
export function writtenAs(
  kind: DeliveryKind,
  event: DeliveryEvent,
  secrets: readonly SigningSecret[],
  attempt?: AttemptFacts,
): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  const body = kind.bodyOf(event, attempt);
  return { body, headers: kind.headersOf({ event, body, secrets, at: wallClock() }) };
}
