// Standard Webhooks 1.0 (github.com/standard-webhooks/standard-webhooks): HMAC-SHA256 over `id.timestamp.body`.

import { createHmac } from 'node:crypto';
import type { Signing } from './kind.ts';

/** Returns the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, with one signature for each secret. */
export function standardHeaders({ event, body, at, secrets }: Signing): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1_000);
  const signed = `${event.id}.${seconds}.${body}`;
  return {
    'webhook-id': event.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map(({ key }) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`).join(' '),
  };
}

/**
 * Returns the header `BTCPay-Sig`, keyed with the text of the oldest valid secret: it holds one signature, and a receiver that
 * changes its secret still knows the older one. None without a secret.
 */
export function btcpayHeader({ body, secrets }: Pick<Signing, 'body' | 'secrets'>): Record<string, string> {
  const oldest = secrets.at(-1);
  return oldest ? { 'BTCPay-Sig': `sha256=${createHmac('sha256', oldest.text).update(body).digest('hex')}` } : {};
}
