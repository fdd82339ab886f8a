import type { PaymentWebhook } from '@kurs/contract/openapi';

/** Payeer's message about a payment, for the OpenAPI document. Only the rail validates messages. */
export const webhookWords: PaymentWebhook = {
  name: 'Payeer',
  type: 'application/x-www-form-urlencoded',
  headers: {},
  fields: {
    m_shop: 'Our shop’s number',
    m_orderid: 'Our reference of the payment',
    m_curr: 'The currency: `USD`, `EUR`, `RUB`',
    m_sign: 'SHA-256 of the other fields in Payeer’s order and the shop’s secret, joined by colons, in upper case',
  },
  proof: 'by `m_sign`, then that the shop and the currency are ours',
  taken: '`<m_orderid>|success`',
  refused: '`<m_orderid>|error`',
};
