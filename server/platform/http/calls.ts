// Calls: a route of the contract bound to its work, the same whether it comes over HTTP or from our own site.

import { createHash } from 'node:crypto';
import { Problem, fieldProblem, isFor, readable, type Input, type Locale, type Output, type Route } from '@kurs/contract';
import { z } from 'zod';
import type { Db } from '../db/db.ts';
import type { Mode } from '../db/migrate.ts';
import type { KeptAnswer, Once } from './idempotency.ts';
import type { Counted, Limit } from './callers/limits.ts';
import { log } from '../base/log.ts';
import { textProblem, validationProblem } from './answers/problem-answer.ts';

/** Something that permissions may be bound to: a business, a store. */
export type Resource = { readonly kind: string; readonly id: string };

/** Permissions on one resource, or without one wherever they are asked for. */
export type Grant = { readonly permissions: readonly string[]; readonly on?: Resource | undefined };

/** A person of the desk, by their key: their role and its permissions. */
export type Operator = {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly permissions: readonly string[];
};

/** An account holder. */
export type AccountHolder = {
  readonly id: string;
  readonly email: string;
  /** They have shown to read its mailbox. */
  readonly emailVerified: boolean;
};

/** An account holder as their session says. */
export type User = AccountHolder & { readonly sessionId: string };

/** A key of an account holder, with what it is for: all that is the holder's, or one resource of theirs. */
export type ApiKey = Grant & { readonly id: string; readonly holder: AccountHolder };

/**
 * Who makes a call: nobody who has said who they are, an account holder, a person of the desk, or a key of an account holder.
 */
export interface Principal {
  readonly kind: 'nobody' | 'user' | 'operator' | 'key';
  /** The account holder's, the person's or the key's; empty for nobody. */
  readonly id: string;
  /** What a person of the desk may do, a key is for, or an account holder was granted: on several resources, maybe. */
  readonly grants: readonly Grant[];
  /** What the installation is that they are known to. */
  readonly mode: Mode;
}

/** The caller, and what the work may use. */
export type Context = {
  readonly db: Db;
  readonly locale: Locale;
  /** `web` is our own site, `public` anyone who names no client. */
  readonly clientId: string;
  readonly ip: string;
  /** What tells one device behind an address from another: an opaque hash, for limits and for whose key is whose. */
  readonly deviceKey: string;
  /** The caller's browser by our own cookie in it, as an opaque hash; absent where it has none. */
  readonly browser?: string | undefined;
  /** The same; a browser without the cookie is given it with the answer. Absent where no browser asks. */
  introduceBrowser?(): string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** An earlier try with this Idempotency-Key ended without an answer: its effect may exist already. */
  readonly repeated?: boolean;
  /**
   * What the work gives, as it is kept under the Idempotency-Key; absent without one. Who asks for it keeps it in the transaction
   * of the work (`keepAnswers`).
   */
  readonly keptAnswer?: (given: unknown) => KeptAnswer;
  /** The token of the Authorization header. */
  readonly bearer?: string | undefined;
  /** What the caller's program says of itself. */
  readonly userAgent: string;
  /** Set for routes of account holders; for routes that know a user where one shows a session. */
  readonly user?: User | undefined;
  /** Set where an account holder's program asks by a key. */
  readonly key?: ApiKey | undefined;
  /** Set for routes of operators. */
  readonly operator?: Operator | undefined;
  /** Set where something was granted to the caller: what, and on which resources. */
  readonly principal?: Principal;
  /**
   * Counts an event of a customer, an address or a code, for all processes; throws `Problem('rate_limited')`. Holds everywhere.
   */
  limit(key: string, limit: Limit): Promise<Counted>;
  /** The same for the caller's network, which in the sandbox is not counted for this machine. */
  limitNetwork(key: string, limit: Limit): Promise<Counted>;
  /** The same for the caller's device. */
  limitDevice(key: string, limit: Limit): Promise<Counted>;
};

/** What a binding does: takes the validated input, gives what stands in `data` (for a list: `{ data, meta }`). */
export type Work<R extends Route> = (
  input: Input<R>,
  context: Context,
) => Promise<R extends { list: true } ? { data: Output<R>; meta: ListMeta } : Output<R>>;
export type ListMeta = {
  current_page: number;
  per_page: number;
  last_page: number;
  total: number;
  is_more?: true;
  next?: string;
};

/** Rows of a list are counted so far: what a longer one says is `more than`. */
export const MOST_COUNTED = 10_000;

/** Counts the rows of a `select` no further than is told; its column is `total`. */
export const countSome = (select: string): string =>
  `select count(*)::int as total from (select from (${select}) as listed limit ${MOST_COUNTED + 1}) as counted`;

/**
 * What a page of a list says beside its rows, where their number is known. `isMore`: there are others, which no page reaches.
 */
export const knownMeta = (
  { page, per_page }: { readonly page: number; readonly per_page: number },
  total: number,
  isMore = false,
): ListMeta => ({
  current_page: page,
  per_page,
  last_page: Math.max(1, Math.ceil(total / per_page)),
  total,
  ...(isMore && { is_more: true }),
});

/**
 * What a page of a list says beside its rows. `total`: as counted by `countSome`. Of a longer list the last page is the next
 * one while this one is full (`rows` of them).
 */
export function listMeta(
  asked: { readonly page: number; readonly per_page: number },
  total: number,
  { rows = 0, next }: { readonly rows?: number; readonly next?: string | undefined } = {},
): ListMeta {
  const isMore = total > MOST_COUNTED;
  const meta = knownMeta(asked, Math.min(total, MOST_COUNTED), isMore);
  const last = rows < asked.per_page ? asked.page : asked.page + 1;
  return {
    ...meta,
    ...(isMore && rows > 0 && { last_page: Math.max(meta.last_page, last) }),
    ...(next !== undefined && { next }),
  };
}

export type MountOptions<R extends Route> = {
  /** Whose Idempotency-Key it is; by default the bearer, else the row named by the input with its secret, else the device. */
  scope?: (input: Input<R>, context: Context) => string;
  /** What stands before its path where it isn't one of our own API: another call of the same path has keys of its own. */
  prefix?: string;
};

/** A route with its work, ready to be asked. */
export type Call = {
  readonly route: Route;
  /** Its input; of one that changes something without fields that it doesn't know: what is not understood is not done. */
  readonly strict: z.ZodType;
  readonly work: (input: unknown, context: Context) => Promise<unknown>;
  readonly scope: (input: unknown, context: Context) => string;
  /** Its name among the keys: path, and what tells it from another call of the same path. */
  readonly name: string;
};

/** Binds a route to its work. */
export function bind<R extends Route>(route: R, work: Work<R>, options: MountOptions<R> = {}): Call {
  return {
    route,
    strict: route.method !== 'GET' && route.input instanceof z.ZodObject ? route.input.strict() : route.input,
    work: work as Call['work'],
    scope: (options.scope ?? ((input, context) => ownScope(route, input, context))) as Call['scope'],
    name: `${route.method === 'POST' ? '' : `${route.method} `}${options.prefix ?? ''}${route.path}`,
  };
}

/** A call with its validated input and the caller. */
export type Question = {
  readonly call: Call;
  readonly raw: unknown;
  readonly input: unknown;
  readonly context: Context;
  /** Fields that it doesn't know. Another body than the one first sent with a key is told as that, so this waits. */
  readonly unknown?: Problem;
};

/** Validates. Throws `Problem('validation')`. */
export function prepare(call: Call, raw: unknown, context: Context): Question {
  const strict = call.strict.safeParse(raw);
  const unknown = strict.success ? undefined : validationProblem(strict.error, raw);
  const parsed = strict.success ? strict : call.route.input.safeParse(raw);
  if (!parsed.success) throw unknown ?? validationProblem(parsed.error, raw);
  const text = textProblem(parsed.data);
  if (text) throw text;
  return { call, raw, input: parsed.data, context, ...(unknown && { unknown }) };
}

const perform = ({ call, input, unknown }: Question, context: Context): Promise<unknown> => {
  if (unknown) throw unknown;
  return call.work(input, context);
};

/** What a call answers: `meta` stands beside the `data` of a list. */
export type Answer = { readonly data: unknown; readonly meta?: unknown };

/**
 * Runs the work, once per Idempotency-Key where the route honours it, and validates what it gives: the body of the
 * answer as JSON text, in the shape of its dialect (`bodyOf`). Throws the work's Problems, and any other error when the work or
 * its output is wrong.
 */
export async function answer(
  question: Question,
  once: Once,
  bodyOf: (answer: Answer) => unknown = (given) => given,
): Promise<string> {
  const { raw, input, context, call } = question;
  if (!isKeyed(question)) return JSON.stringify(bodyOf(checked(question, await perform(question, context))));
  const scope = `${call.name} ${call.scope(input, context)}`;
  const keyed = { scope, key: question.context.idempotencyKey, request: raw };
  const told = (given: unknown): string => JSON.stringify(bodyOf(checked(question, given)));
  return once(keyed, async (repeated, kept) => {
    const keptAnswer = (given: unknown): KeptAnswer => kept(told(given));
    return told(await perform(question, withMore(context, { repeated, keptAnswer })));
  });
}

/** Like `answer`, for a caller in this process: an object, and text only where text is stored. */
export async function answerWithin(question: Question, once: Once): Promise<Answer> {
  if (isKeyed(question)) return JSON.parse(await answer(question, once)) as Answer;
  return checked(question, await perform(question, question.context));
}

type Keyed = Question & { readonly context: { readonly idempotencyKey: string } };
const isKeyed = (question: Question): question is Keyed =>
  question.call.route.idempotent === true && question.context.idempotencyKey !== undefined;

function checked({ call: { route }, context }: Question, result: unknown): Answer {
  const { data, meta } = route.list ? (result as { data: unknown; meta: unknown }) : { data: result, meta: undefined };
  const parsed = ((context.key && route.forKeys) ?? route.output).safeParse(data);
  if (!parsed.success) {
    log.error('an answer breaks its contract', { route: route.path, issues: parsed.error.issues });
    throw new Error(`the answer of ${route.method} ${route.path} breaks its contract`);
  }
  // At the desk texts of strangers stand beside figures, those of old rows too.
  return { data: isFor(route, 'operator') ? readable(parsed.data) : parsed.data, meta };
}

/** The account holder of a call that only account holders may make. Throws `unauthorised`. */
export function userOf({ user }: Pick<Context, 'user'>): User {
  if (!user) throw new Problem('unauthorised');
  return user;
}

/** The account holder who asks, by their session or by a key that the call allows. Throws `unauthorised`. */
export function holderBehind({ user, key }: Pick<Context, 'user' | 'key'>): AccountHolder {
  const holder = user ?? key?.holder;
  if (!holder) throw new Problem('unauthorised');
  return holder;
}

/** A context that knows more; what it computes when asked stays so. */
export const withMore = (context: Context, more: Partial<Context>): Context =>
  Object.assign(Object.create(context) as Context, more);

/** A key shorter than this is easily a stranger's too. */
const OWN_KEY_LENGTH = 16;

/**
 * Answers hold secrets, so anyone who gets one again must be the one who got it first: by their key, by the secret of the row
 * that they name, or else by their device and a key that nobody guesses.
 */
function ownScope(route: Route, input: unknown, context: Context): string {
  const { operator, user, key, bearer, clientId, deviceKey, idempotencyKey = '' } = context;
  if (operator) return `operator ${operator.id}`;
  if (user) return `user ${user.id}`;
  if (key) return `key ${key.id}`;
  if (bearer !== undefined) return `bearer ${hashOf(bearer)}`;
  const { order_id, id, token } = input as { order_id?: unknown; id?: unknown; token?: unknown };
  const row = order_id ?? id;
  if (typeof row === 'string') return `row ${row} ${typeof token === 'string' ? hashOf(token) : ''}`;
  if (isFor(route, 'public') && idempotencyKey.length < OWN_KEY_LENGTH) throw fieldProblem('Idempotency-Key', 'key_guessable');
  return `device ${clientId} ${deviceKey}`;
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url').slice(0, 22);
