import { OF_ALL, OF_BODY, problemResponses } from './problem-responses.ts';

/** What one payment system sends us after a payment, for the OpenAPI document. Nothing here validates: each rail does. */
interface Confirmation {
  readonly rail: string;
  readonly name: string;
  readonly type: 'application/json' | 'application/x-www-form-urlencoded';
  /** Headers that carry its signature, by what they hold. */
  readonly headers: Readonly<Record<string, string>>;
  /** Fields that are read, by what they say. Others may stand beside them. */
  readonly fields: Readonly<Record<string, string>>;
  readonly proof: string;
  /** What is answered to one that is proven, and to one that isn't. */
  readonly taken: string;
  readonly refused: string;
}

const EMPTY = 'An empty text';

/** Every payment system that sends messages. Perfect Money sends none, chains have no such thing. */
const CONFIRMATIONS: readonly Confirmation[] = [
  {
    rail: 'nebulox',
    name: 'Nebulox',
    type: 'application/json',
    headers: { 'x-hash': 'HMAC-SHA-256 of the raw body under the gateway’s API key, in hexadecimal digits' },
    fields: {
      orderId: 'Our reference of the payment',
      coin: 'The coin’s symbol',
      type: '`INVOICE`; other messages are no payments',
    },
    proof: 'by `x-hash` over the raw body, and that the coin is one of ours',
    taken: EMPTY,
    refused: EMPTY,
  },
  {
    rail: 'payeer',
    name: 'Payeer',
    type: 'application/x-www-form-urlencoded',
    headers: {},
    fields: {
      m_shop: 'Our shop’s number',
      m_orderid: 'Our reference of the payment',
      m_curr: 'The currency: `USD`, `EUR`, `RUB`',
      m_sign: 'SHA-256 of the other fields in Payeer’s order and the shop’s secret, joined by colons, in capitals',
    },
    proof: 'by `m_sign`, then that the shop and the currency are ours',
    taken: '`<m_orderid>|success`',
    refused: '`<m_orderid>|error`',
  },
  {
    rail: 'paypal',
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
    taken: EMPTY,
    refused: EMPTY,
  },
  {
    rail: 'volet',
    name: 'Volet',
    type: 'application/x-www-form-urlencoded',
    headers: {},
    fields: {
      ac_order_id: 'Our reference of the payment',
      ac_sci_name: 'The name of our shop',
      ac_dest_wallet: 'Our wallet',
      ac_amount: 'The amount; not believed, the look-up tells',
      ac_merchant_currency: 'The currency',
      ac_hash: 'SHA-256 of the fields in Volet’s order and the shop’s password, joined by colons, in hexadecimal digits',
    },
    proof: 'by `ac_hash`, then that shop, wallet and currency are ours',
    taken: EMPTY,
    refused: EMPTY,
  },
  {
    rail: 'webmoney',
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
  },
  {
    rail: 'moneygo',
    name: 'MoneyGo',
    type: 'application/json',
    headers: {},
    fields: { payment_id: 'Our reference of the payment; also read as `external_id` or `id`, and below `data`' },
    proof:
      'not at all: how MoneyGo signs isn’t published, so a message that names a reference of ours is a hint that has the payment looked up, at most 120 a minute',
    taken: EMPTY,
    refused: EMPTY,
  },
];

type Json = { [key: string]: unknown };

const textSchema = (description: string): Json => ({ type: 'string', description });
const plain = (description: string, said: string): Json => ({
  description,
  content: { 'text/plain': { schema: { type: 'string', description: said } } },
});

/** The paths that payment systems send their messages to, for the OpenAPI document; `problem` is the schema of one. */
export function confirmationPaths(problem: Json): Record<string, Json> {
  return Object.fromEntries(
    CONFIRMATIONS.map((one) => [`/api/v1/payment/${one.rail}/confirmation`, { post: operation(one, problem) }]),
  );
}

function operation({ rail, name, type, headers, fields, proof, taken, refused }: Confirmation, problem: Json): Json {
  const properties = Object.fromEntries(Object.entries(fields).map(([field, words]) => [field, textSchema(words)]));
  return {
    operationId: `confirm_${rail}`,
    summary: `What ${name} sends after a payment`,
    description: `For ${name} only, and asks for no \`client-id\`; \`not_found\` where this payment system isn’t set up. Takes the raw body, byte by byte, of 65,536 bytes at most, and keeps it before it is answered. Proven ${proof}. It credits nothing by itself: it has the payment looked up at ${name}, and only what that shows counts, once, however often the message comes.`,
    tags: ['Confirmations'],
    security: [],
    parameters: Object.entries(headers).map(([header, words]) => ({
      name: header,
      in: 'header',
      required: true,
      schema: { type: 'string' },
      description: words,
    })),
    requestBody: { required: true, content: { [type]: { schema: { type: 'object', properties, additionalProperties: true } } } },
    responses: {
      200: plain('It is proven and kept, or was kept before', taken),
      400: plain('It isn’t proven: nothing comes of it', refused),
      ...problemResponses(['not_found', ...OF_BODY, ...OF_ALL], problem),
    },
  };
}
