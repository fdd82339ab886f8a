import type { PaymentWebhook } from '@kurs/contract/openapi';

/** What it sends us after a payment, for the OpenAPI document. Nothing here validates: the rail does. */
export const webhookWords: PaymentWebhook = {
  name: 'MoneyGo',
  type: 'application/json',
  headers: {},
  fields: { payment_id: 'Our reference of the payment; also read as `external_id` or `id`, and below `data`' },
  proof:
    'not at all: how MoneyGo signs isn’t published, so a message that names a reference of ours is a hint that has the payment looked up, at most 120 a minute',
  taken: 'An empty text',
  refused: 'An empty text',
};
