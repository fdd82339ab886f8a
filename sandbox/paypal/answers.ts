import type { Faults } from '../faults.ts';
import type { Acts } from './actions.ts';
import { type Book, newId } from './book.ts';
import type { Messages } from './messages.ts';
import type { OperationRequest, Schemas } from './schemas.ts';
import type { Resources } from './resources.ts';

/** Dependencies of the API's parts. */
export interface Side {
  readonly book: Book;
  readonly shown: Resources;
  readonly acts: Acts;
  readonly messages: Messages;
  readonly schemas: Schemas;
  readonly faults: Faults;
  /** Lifetime of a token, in seconds. */
  readonly tokenSeconds: number;
  /** Delay until a payout is processed, in ms. */
  readonly payoutMs: number;
  /** Age of balances, and the age that they state, in ms; null if they state none. */
  lag: { readonly is: number; readonly says: number | null };
  /** Number of further payouts and refunds that are carried out but answered with 500. */
  unheard: number;
  /** False before PayPal has granted its disputes API to the desk's app. */
  hasDisputes: boolean;
  /** Answers of this counterpart that violate PayPal's schemas; there should be none. */
  readonly flaws: string[];
}

/** Request that satisfies PayPal's schema, with the text of its body. */
export interface Request extends OperationRequest {
  readonly text: string;
}

export interface PaypalAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Refusal in PayPal's format. */
export class No extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, name: string, issue?: string, more: Readonly<Record<string, unknown>> = {}) {
    super(`${name} ${issue ?? ''}`);
    this.status = status;
    this.body = {
      name,
      message: MESSAGES[name] ?? name,
      debug_id: newId(13).toLowerCase(),
      ...(issue !== undefined && { details: [{ issue, ...more }] }),
      links: [],
    };
  }
}

/** Messages that the schemas require. */
const MESSAGES: Readonly<Record<string, string>> = {
  INVALID_REQUEST: 'Request is not well-formed, syntactically incorrect, or violates schema.',
  AUTHENTICATION_FAILURE: 'Authentication failed due to missing authorization header, or invalid authentication credentials.',
  NOT_AUTHORIZED: 'Authorization failed due to insufficient permissions.',
  RESOURCE_NOT_FOUND: 'The specified resource does not exist.',
  UNPROCESSABLE_ENTITY: 'The requested action could not be performed, semantically incorrect, or failed business validation.',
  INTERNAL_SERVER_ERROR: 'An internal server error occurred.',
};

export type Operate = (
  file: 'orders' | 'payments' | 'payouts' | 'webhooks',
  id: string,
  work: (request: Request) => PaypalAnswer,
) => void;
export type Mount = (operate: Operate, side: Side) => void;

/** Runs work once per request id. A repeated request gets the first answer, even a refusal. */
export function once(book: Book, operation: string, { headers }: Request, work: () => PaypalAnswer): PaypalAnswer {
  const id = headers['paypal-request-id'];
  if (typeof id !== 'string') return work();
  const before = book.answered(`${operation} ${id}`);
  // Orders answers a repetition with 200; the other files define 201 only.
  if (before)
    return { status: before.status === 201 && operation.startsWith('orders.') ? 200 : before.status, body: before.body };
  const answer = answerOf(work);
  book.storeAnswer(`${operation} ${id}`, answer.status, answer.body);
  return answer;
}

function answerOf(work: () => PaypalAnswer): PaypalAnswer {
  try {
    return work();
  } catch (error) {
    if (error instanceof No) return { status: error.status, body: error.body };
    throw error;
  }
}
