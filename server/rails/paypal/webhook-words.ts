import type { PaymentWebhook } from '@kurs/contract/openapi';

/** What it sends us after a payment, for the OpenAPI document. Nothing here validates: the rail does. */
export const webhookWords: PaymentWebhook = {
  name: 'PayPal',
  type: 'application/json',
  headers: {
    'paypal-auth-algo': '`SHA256withRSA`',
    'paypal-transmission-id': 'The message’s id',
    'paypal-transmission-time': 'When it was sent; older than four days is refused',
    'paypal-transmission-sig': 'The signature, in base 64',
    'paypal-cert-url': 'The certificate, whose host must be PayPal’s own',
  },
  fields: { id: 'The event’s id', event_type: 'What happened', resource: 'To what: an order, a capture, a refund, a payout' },
  proof:
    'by PayPal’s signature over id, time, our webhook’s id and the CRC-32 of the raw body: here with the certificate of the pinned host, or by asking PayPal (`proof` in the settings)',
  taken: 'An empty text',
  refused: 'An empty text',
};
