import type { PaymentWebhook } from '@kurs/contract/openapi';

/** Description of WebMoney's webhook for the OpenAPI document. The rail validates messages, not this. */
export const webhookWords: PaymentWebhook = {
  name: 'WebMoney',
  type: 'application/x-www-form-urlencoded',
  headers: {},
  fields: {
    LMI_PREREQUEST: '`1`: the question before a payment; absent: the notice after it',
    LMI_PAYEE_PURSE: 'Our purse',
    LMI_PAYMENT_NO: 'Our number of the payment',
    LMI_PAYMENT_AMOUNT: 'The amount; not trusted, since the look-up shows it',
    LMI_HASH2: 'In a notice: SHA-256 of the fields in WebMoney’s order and the purse’s key, joined by semicolons, in upper case',
  },
  proof: 'the question by our own signature of the form, until the payment’s time is over; the notice by `LMI_HASH2`',
  taken: '`YES`',
  refused: '`NO`',
};
