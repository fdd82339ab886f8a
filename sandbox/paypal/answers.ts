import type { Faults } from '../faults.ts';
import type { Acts } from './actions.ts';
import { type Book, newId } from './book.ts';
import type { Messages } from './messages.ts';
import type { Asked, Schemas } from './schemas.ts';
import type { Shown } from './resources.ts';

/** What the parts of the API work with. */
export interface Side {
  readonly book: Book;
  readonly shown: Shown;
  readonly acts: Acts;
  readonly messages: Messages;
  readonly schemas: Schemas;
  readonly faults: Faults;
  /** Seconds for which a token is good. */
  readonly tokenSeconds: number;
  /** Milliseconds after which a payout is worked off. */
  readonly payoutMs: number;
  /** Milliseconds by which balances are behind, and those that they say; null: they say no time. */
  lag: { readonly is: number; readonly says: number | null };
  /** How many payouts and refunds from now on are done and answered with 500. */
  unheard: number;
  /** Answers of ours that PayPal's files don't allow: there are to be none. */
  readonly flaws: string[];
}

/** A request that fits PayPal's schema, with the text of its body. */
export interface Request extends Asked {
  readonly text: string;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A "no" in PayPal's form. */
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

/** The words that the schemas demand. */
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
  work: (request: Request) => Answer,
) => void;
export type Mount = (operate: Operate, side: Side) => void;

/** The same request once more gets the answer that it got, a refusal too. */
export function once(book: Book, operation: string, { headers }: Request, work: () => Answer): Answer {
  const id = headers['paypal-request-id'];
  if (typeof id !== 'string') return work();
  const before = book.answered(`${operation} ${id}`);
  // Orders answers 200 to a repetition; the other files know only 201.
  if (before)
    return { status: before.status === 201 && operation.startsWith('orders.') ? 200 : before.status, body: before.body };
  const answer = answerOf(work);
  book.keepAnswer(`${operation} ${id}`, answer.status, answer.body);
  return answer;
}

function answerOf(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (error instanceof No) return { status: error.status, body: error.body };
    throw error;
  }
}
