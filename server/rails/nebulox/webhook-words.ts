import type { PaymentWebhook } from '@kurs/contract/openapi';

/** What it sends us after a payment, for the OpenAPI document. Nothing here validates: the rail does. */
export const webhookWords: PaymentWebhook = {
  name: 'Nebulox',
  type: 'application/json',
  headers: { 'x-hash': 'HMAC-SHA-256 of the raw body under the gateway’s API key, in hexadecimal digits' },
  fields: {
    orderId: 'Our reference of the payment',
    coin: 'The coin’s symbol',
    type: '`INVOICE`; other messages are no payments',
  },
  proof: 'by `x-hash` over the raw body, and that the coin is one of ours',
  taken: 'An empty text',
  refused: 'An empty text',
};
