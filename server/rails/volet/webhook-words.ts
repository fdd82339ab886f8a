import type { PaymentWebhook } from '@kurs/contract/openapi';

/** Description of Volet's message after a payment, for the OpenAPI document. It validates nothing: the rail does. */
export const webhookWords: PaymentWebhook = {
  name: 'Volet',
  type: 'application/x-www-form-urlencoded',
  headers: {},
  fields: {
    ac_order_id: 'Our reference of the payment',
    ac_sci_name: 'The name of our shop',
    ac_dest_wallet: 'Our wallet',
    ac_amount: 'The amount; not trusted: we look the payment up',
    ac_merchant_currency: 'The currency',
    ac_hash: 'SHA-256 of the fields in Volet’s order and the shop’s password, joined by colons, in hexadecimal digits',
  },
  proof: 'by `ac_hash`, and by our own shop, wallet and currency in the fields',
  taken: 'An empty text',
  refused: 'An empty text',
};
