import { OF_ALL, OF_BODY, problemResponses } from './problem-responses.ts';

/** Description of the webhook that a payment system sends after a payment, for the OpenAPI document. */
export interface PaymentWebhook {
  readonly name: string;
  readonly type: 'application/json' | 'application/x-www-form-urlencoded';
  /** Description of each header that carries the webhook's signature, by header name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Description of each field that we read, by field name. The body may have other fields. */
  readonly fields: Readonly<Record<string, string>>;
  readonly proof: string;
  /** Answer to an authentic webhook. */
  readonly taken: string;
  /** Answer to a webhook that isn't authentic. */
  readonly refused: string;
}

type Json = { [key: string]: unknown };

const textSchema = (description: string): Json => ({ type: 'string', description });
const plain = (description: string, said: string): Json => ({
  description,
  content: { 'text/plain': { schema: { type: 'string', description: said } } },
});

/** Webhooks of payment systems, by rail. */
export type PaymentWebhooks = Readonly<Record<string, PaymentWebhook>>;

/** Returns the paths for payment systems' webhooks, for the OpenAPI document. `problem` is the schema of a problem. */
export function confirmationPaths(webhooks: PaymentWebhooks, problem: Json): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(webhooks).map(([rail, one]) => [
      `/api/v1/payment/${rail}/confirmation`,
      { post: operation(rail, one, problem) },
    ]),
  );
}

function operation(rail: string, { name, type, headers, fields, proof, taken, refused }: PaymentWebhook, problem: Json): Json {
  const properties = Object.fromEntries(Object.entries(fields).map(([field, words]) => [field, textSchema(words)]));
  return {
    operationId: `confirm_${rail}`,
    summary: `Webhook of ${name} after a payment`,
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
