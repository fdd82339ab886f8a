import type { PaymentWebhook } from '@kurs/contract/openapi';

/** Description of Nebulox's message after a payment, for the OpenAPI document. It validates nothing: the rail does. */
export const webhookWords: PaymentWebhook = {
  name: 'Nebulox',
  type: 'application/json',
  headers: { 'x-hash': 'HMAC-SHA-256 of the raw body under the gateway’s API key, in hexadecimal digits' },
  fields: {
    orderId: 'Our reference of the payment',
    coin: 'The coin’s symbol',
    type: '`INVOICE`; other messages are no payments',
  },
  proof: 'by `x-hash` over the raw body, and by a coin of ours in the field `coin`',
  taken: 'An empty text',
  refused: 'An empty text',
};
