// Standard Webhooks 1.0 (github.com/standard-webhooks/standard-webhooks): HMAC-SHA256 over `id.timestamp.body`.

import { createHmac, randomBytes } from 'node:crypto';
import type { Signing } from './kind.ts';

const PREFIX = 'whsec_';

/** Returns a new secret: 32 random bytes, as `whsec_` and base64. */
export const makeSigningSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`;

/** Returns the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, with one signature for each secret. */
export function standardHeaders({ event, body, at, secrets }: Signing): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1_000);
  const signed = `${event.id}.${seconds}.${body}`;
  const signatureOf = (secret: string): string =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(signed)
      .digest('base64');
  return {
    'webhook-id': event.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => `v1,${signatureOf(secret)}`).join(' '),
  };
}
