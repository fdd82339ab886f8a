import type { PaymentWebhook } from '@kurs/contract/openapi';

/** What it sends us after a payment, for the OpenAPI document. Nothing here validates: the rail does. */
export const webhookWords: PaymentWebhook = {
  name: 'WebMoney',
  type: 'application/x-www-form-urlencoded',
  headers: {},
  fields: {
    LMI_PREREQUEST: '`1`: the question before a payment; absent: the notice after it',
    LMI_PAYEE_PURSE: 'Our purse',
    LMI_PAYMENT_NO: 'Our number of the payment',
    LMI_PAYMENT_AMOUNT: 'The amount; not believed, the look-up tells',
    LMI_HASH2: 'Of a notice: SHA-256 of the fields in WebMoney’s order and the purse’s key, joined by semicolons, in capitals',
  },
  proof: 'the question by our own signature of the form, while the payment is waited for; the notice by `LMI_HASH2`',
  taken: '`YES`',
  refused: '`NO`',
};
