// Calls: a route of the contract bound to its work, the same whether it comes over HTTP or from our own site.

import { Problem, type Input, type Locale, type Output, type Route } from '@kurs/contract';
import type { Db } from './db.ts';
import type { Once } from './idempotency.ts';
import type { Limit } from './limits.ts';
import { log } from './log.ts';
import { textProblem, validationProblem } from './problem-answer.ts';

/** An operator as their key says. */
export type Operator = { readonly id: string; readonly name: string; readonly roles: readonly string[] };

/** Who asks, and what the work may use. */
export type Context = {
  readonly db: Db;
  readonly locale: Locale;
  /** `web` is our own site, `public` whoever names no client. */
  readonly clientId: string;
  readonly ip: string;
  /** What tells one device behind an address from another: an opaque hash, for limits only. */
  readonly deviceKey: string;
  readonly idempotencyKey?: string | undefined;
  /** An earlier try with this Idempotency-Key ended without an answer: its effect may exist already. */
  readonly repeated?: boolean;
  /** The token of the Authorization header. */
  readonly bearer?: string | undefined;
  /** Set for routes of operators. */
  readonly operator?: Operator | undefined;
  /** Counts an event of a customer, an address or a code; throws `Problem('rate_limited')`. Holds everywhere. */
  limit(key: string, limit: Limit): void;
};

/** What a binding does: takes the validated input, gives what stands in `data` (for a list: `{ data, meta }`). */
export type Work<R extends Route> = (
  input: Input<R>,
  context: Context,
) => Promise<R extends { list: true } ? { data: Output<R>; meta: ListMeta } : Output<R>>;
export type ListMeta = { current_page: number; per_page: number; last_page: number; total: number };

export type MountOptions<R extends Route> = {
  /** Whose Idempotency-Key it is; by default the bearer, else the row named by the input, else the address. */
  scope?: (input: Input<R>, context: Context) => string;
};

/** A route with its work, ready to be asked. */
export type Call = {
  readonly route: Route;
  readonly work: (input: unknown, context: Context) => Promise<unknown>;
  readonly scope: (input: unknown, context: Context) => string;
};

export type Authenticate = { operator?: (bearer: string, context: Context) => Promise<Operator | undefined> };

/** Binds a route to its work. */
export function bind<R extends Route>(route: R, work: Work<R>, options: MountOptions<R> = {}): Call {
  return {
    route,
    work: work as Call['work'],
    scope: (options.scope ?? ownScope) as Call['scope'],
  };
}

/** A call with its validated input and whoever asks. */
export type Question = { readonly call: Call; readonly raw: unknown; readonly input: unknown; readonly context: Context };

/** Authorises and validates. Throws `Problem('unauthorised')` or `Problem('validation')`. */
export async function prepare(call: Call, raw: unknown, context: Context, authenticate: Authenticate): Promise<Question> {
  const caller = call.route.who === 'operator' ? await asOperator(context, authenticate) : context;
  const parsed = call.route.input.safeParse(raw);
  if (!parsed.success) throw validationProblem(parsed.error, raw);
  const text = textProblem(parsed.data);
  if (text) throw text;
  return { call, raw, input: parsed.data, context: caller };
}

/** What a call answers: `meta` stands beside the `data` of a list. */
export type Answer = { readonly data: unknown; readonly meta?: unknown };

/**
 * Runs the work, once per Idempotency-Key where the route honours it, and validates what it gives: the body of the
 * answer as JSON text. Throws the work's Problems, and any other error when the work or its output is wrong.
 */
export async function answer(question: Question, once: Once): Promise<string> {
  const { call, raw, input, context } = question;
  if (!isKeyed(question)) return JSON.stringify(checked(call, await call.work(input, context)));
  const scope = `${call.route.path} ${call.scope(input, context)}`;
  const keyed = { scope, key: question.context.idempotencyKey, request: raw };
  return once(keyed, async (repeated) => JSON.stringify(checked(call, await call.work(input, { ...context, repeated }))));
}

/** As `answer`, for a caller in this process: not as text, unless the text is what is kept. */
export async function answerWithin(question: Question, once: Once): Promise<Answer> {
  const { call, input, context } = question;
  if (isKeyed(question)) return JSON.parse(await answer(question, once)) as Answer;
  return checked(call, await call.work(input, context));
}

type Keyed = Question & { readonly context: { readonly idempotencyKey: string } };
const isKeyed = (question: Question): question is Keyed =>
  question.call.route.idempotent === true && question.context.idempotencyKey !== undefined;

function checked({ route }: Call, result: unknown): Answer {
  const { data, meta } = route.list ? (result as { data: unknown; meta: unknown }) : { data: result, meta: undefined };
  const parsed = route.output.safeParse(data);
  if (!parsed.success) {
    log.error('an answer breaks its contract', { route: route.path, issues: parsed.error.issues });
    throw new Error(`the answer of ${route.method} ${route.path} breaks its contract`);
  }
  return { data: parsed.data, meta };
}

async function asOperator(context: Context, { operator }: Authenticate): Promise<Context> {
  if (!operator || context.bearer === undefined) throw new Problem('unauthorised');
  const found = await operator(context.bearer, context);
  if (!found) throw new Problem('unauthorised');
  return { ...context, operator: found };
}

function ownScope(input: unknown, { operator, bearer, ip }: Context): string {
  if (operator) return `operator ${operator.id}`;
  if (bearer !== undefined) return `bearer ${bearer}`;
  const { order_id, id } = input as { order_id?: unknown; id?: unknown };
  const row = order_id ?? id;
  return typeof row === 'string' ? `row ${row}` : `address ${ip}`;
}
