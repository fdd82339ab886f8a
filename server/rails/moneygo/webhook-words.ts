import type { PaymentWebhook } from '@kurs/contract/openapi';

/** MoneyGo's message about a payment, for the OpenAPI document. Only the rail validates messages. */
export const webhookWords: PaymentWebhook = {
  name: 'MoneyGo',
  type: 'application/json',
  headers: {},
  fields: { payment_id: 'Our reference of the payment; also read as `external_id` or `id`, and below `data`' },
  proof:
    'not at all: MoneyGo’s signature isn’t published, so a message with a reference of ours is only a hint to look the payment up, at most 120 times a minute',
  taken: 'An empty text',
  refused: 'An empty text',
};
