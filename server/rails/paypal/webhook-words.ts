import type { PaymentWebhook } from '@kurs/contract/openapi';

/** Description of PayPal's webhook for the OpenAPI document. The rail validates messages, not this. */
export const webhookWords: PaymentWebhook = {
  name: 'PayPal',
  type: 'application/json',
  headers: {
    'paypal-auth-algo': '`SHA256withRSA`',
    'paypal-transmission-id': 'The message’s id',
    'paypal-transmission-time': 'The time of sending; a message older than four days is refused',
    'paypal-transmission-sig': 'The signature, in base 64',
    'paypal-cert-url': 'The URL of the certificate, whose host must be PayPal’s own',
  },
  fields: {
    id: 'The event’s id',
    event_type: 'The event’s type',
    resource: 'The event’s object: an order, a capture, a refund, a payout',
  },
  proof:
    'by PayPal’s signature over id, time, our webhook’s id and the CRC-32 of the raw body: checked here with the certificate of the pinned host, or by PayPal itself (`proof` in the settings)',
  taken: 'An empty text',
  refused: 'An empty text',
};
