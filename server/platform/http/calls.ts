// Calls: a route of the contract bound to its handler. It works the same over HTTP and from the site within the process.

import { createHash } from 'node:crypto';
import { Problem, fieldProblem, isFor, readable, type Input, type Locale, type Output, type Route } from '@kurs/contract';
import { z } from 'zod';
import type { Db } from '../db/db.ts';
import type { Mode } from '../db/migrate.ts';
import type { StoredAnswer, Once } from './idempotency.ts';
import type { Counted, Limit } from './callers/limits.ts';
import { log } from '../base/log.ts';
import { textProblem, validationProblem } from './answers/problem-answer.ts';

/** Something that permissions may be bound to, such as a store. */
export type Resource = { readonly kind: string; readonly id: string };

/** Permissions on one resource, or, without a resource, on everything. */
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
  /** True if the holder has confirmed the address. */
  readonly isEmailVerified: boolean;
};

/** An account holder, identified by a session. */
export type User = AccountHolder & { readonly sessionId: string };

/** A key of an account holder. It is for all that the holder owns, or for one resource. */
export type ApiKey = Grant & { readonly id: string; readonly holder: AccountHolder };

/** The caller of a call: an unknown caller, an account holder, a person of the desk, or a key of an account holder. */
export interface Principal {
  readonly kind: 'nobody' | 'user' | 'operator' | 'key';
  /** Id of the account holder, the person or the key; empty for an unknown caller. */
  readonly id: string;
  /** Permissions of a person of the desk, of a key, or those granted to an account holder, maybe on several resources. */
  readonly grants: readonly Grant[];
  /** Mode of the installation. */
  readonly mode: Mode;
}

/** The caller of a call, and what its handler may use. */
export type Context = {
  readonly db: Db;
  readonly locale: Locale;
  /** Client that the caller names: `web` is the product's own site, `public` a caller that names none. */
  readonly clientId: string;
  readonly ip: string;
  /** Opaque hash that tells devices behind one address apart, for limits and for the scope of Idempotency-Keys. */
  readonly deviceKey: string;
  /** Opaque hash of the device cookie of the caller's browser; absent if it has none. */
  readonly browser?: string | undefined;
  /** Returns that hash, and gives a browser without the cookie one with the answer. Absent for callers without a browser. */
  introduceBrowser?(): string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** True if an earlier call with this Idempotency-Key ended without an answer: its effect may exist already. */
  readonly isRepeated?: boolean;
  /**
   * Converts the handler's result into its stored form, for handlers that store their answer in their own transaction. Absent
   * without an Idempotency-Key.
   */
  readonly storedAnswer?: (given: unknown) => StoredAnswer;
  /** The token of the Authorization header. */
  readonly bearer?: string | undefined;
  /** The caller's User-Agent header. */
  readonly userAgent: string;
  /** Set for routes of account holders, and for other routes if the caller has a session and the route knows users. */
  readonly user?: User | undefined;
  /** Set if an account holder's program calls with a key. */
  readonly key?: ApiKey | undefined;
  /** Set for routes of operators. */
  readonly operator?: Operator | undefined;
  /** Set if the caller has grants: which ones, on which resources. */
  readonly principal?: Principal;
  /**
   * Counts an event of a customer, an address or a code, for all processes together and in all modes. Throws
   * `Problem('rate_limited')`.
   */
  limit(key: string, limit: Limit): Promise<Counted>;
  /** Counts an event of the caller's network. In the sandbox this machine is not counted. */
  limitNetwork(key: string, limit: Limit): Promise<Counted>;
  /** Counts an event of the caller's device. */
  limitDevice(key: string, limit: Limit): Promise<Counted>;
};

/** Handler of a route: takes the validated input and returns the `data` of the answer (for a list: `{ data, meta }`). */
export type Work<R extends Route> = (
  input: Input<R>,
  context: Context,
) => Promise<R extends { isList: true } ? { data: Output<R>; meta: ListMeta } : Output<R>>;
export type ListMeta = {
  current_page: number;
  per_page: number;
  last_page: number;
  total: number;
  is_more?: true;
  next?: string;
};

/** Number up to which rows of a list are counted; a longer list has `more than` that. */
export const MAX_COUNTED = 10_000;

/** Returns SQL that counts the rows of a `select` up to that number; its column is `total`. */
export const countSome = (select: string): string =>
  `select count(*)::int as total from (select from (${select}) as listed limit ${MAX_COUNTED + 1}) as counted`;

/** Returns the `meta` of a page of a list with a known number of rows. `isMore`: there are further rows that no page shows. */
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
 * Returns the `meta` of a page of a list. `total`: as counted by `countSome`. `rows`: number of rows on this page. If the list is
 * too long to be counted, a full page is followed by one more.
 */
export function listMeta(
  request: { readonly page: number; readonly per_page: number },
  total: number,
  { rows = 0, next }: { readonly rows?: number; readonly next?: string | undefined } = {},
): ListMeta {
  const isMore = total > MAX_COUNTED;
  const meta = knownMeta(request, Math.min(total, MAX_COUNTED), isMore);
  const last = rows < request.per_page ? request.page : request.page + 1;
  return {
    ...meta,
    ...(isMore && rows > 0 && { last_page: Math.max(meta.last_page, last) }),
    ...(next !== undefined && { next }),
  };
}

export type MountOptions<R extends Route> = {
  /**
   * Returns the owner of an Idempotency-Key: by default the bearer, else the row that the input names with its secret, else the
   * device.
   */
  scope?: (input: Input<R>, context: Context) => string;
  /** Prefix of the path in another API than our own: a call with the same path there has keys of its own. */
  prefix?: string;
};

/** A route with its handler, ready to be called. */
export type Call = {
  readonly route: Route;
  /** Schema of the input. For routes that change something it refuses unknown fields. */
  readonly strict: z.ZodType;
  readonly work: (input: unknown, context: Context) => Promise<unknown>;
  readonly scope: (input: unknown, context: Context) => string;
  /** Name of the call in the scope of Idempotency-Keys: the path, with method and prefix if needed. */
  readonly name: string;
};

/** Binds a route to its handler. */
export function bind<R extends Route>(route: R, work: Work<R>, options: MountOptions<R> = {}): Call {
  return {
    route,
    strict: route.method !== 'GET' && route.input instanceof z.ZodObject ? route.input.strict() : route.input,
    work: work as Call['work'],
    scope: (options.scope ?? ((input, context) => ownScope(route, input, context))) as Call['scope'],
    name: `${route.method === 'POST' ? '' : `${route.method} `}${options.prefix ?? ''}${route.path}`,
  };
}

/** A call with its validated input and its caller. */
export type Question = {
  readonly call: Call;
  readonly raw: unknown;
  readonly input: unknown;
  readonly context: Context;
  /** Problem of unknown fields. It is thrown later, as reusing an Idempotency-Key with another body has to be reported first. */
  readonly unknown?: Problem;
};

/** Validates an input. Throws `Problem('validation')`. */
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

/** CallAnswer of a call; a list has `meta` beside its `data`. */
export type CallAnswer = { readonly data: unknown; readonly meta?: unknown };

/**
 * Runs the handler, once per Idempotency-Key if the route supports it, and validates its result. Returns the body of the answer
 * as JSON text, in the form of its dialect (`bodyOf`). Throws the handler's Problems, and any other error if the handler or its
 * output is wrong.
 */
export async function answer(
  question: Question,
  once: Once,
  bodyOf: (answer: CallAnswer) => unknown = (given) => given,
): Promise<string> {
  const { raw, input, context, call } = question;
  if (!isKeyed(question)) return JSON.stringify(bodyOf(checked(question, await perform(question, context))));
  const scope = `${call.name} ${call.scope(input, context)}`;
  const keyed = { scope, key: question.context.idempotencyKey, request: raw };
  const reported = (given: unknown): string => JSON.stringify(bodyOf(checked(question, given)));
  return once(keyed, async (isRepeated, stored) => {
    const storedAnswer = (given: unknown): StoredAnswer => stored(reported(given));
    return reported(await perform(question, withMore(context, { isRepeated, storedAnswer })));
  });
}

/** Runs the handler as `answer` does, for a caller in this process. Returns an object, with text only where text is stored. */
export async function answerWithin(question: Question, once: Once): Promise<CallAnswer> {
  if (isKeyed(question)) return JSON.parse(await answer(question, once)) as CallAnswer;
  return checked(question, await perform(question, question.context));
}

type Keyed = Question & { readonly context: { readonly idempotencyKey: string } };
const isKeyed = (question: Question): question is Keyed =>
  question.call.route.isIdempotent === true && question.context.idempotencyKey !== undefined;

function checked({ call: { route }, context }: Question, result: unknown): CallAnswer {
  const { data, meta } = route.isList ? (result as { data: unknown; meta: unknown }) : { data: result, meta: undefined };
  const parsed = ((context.key && route.forKeys) ?? route.output).safeParse(data);
  if (!parsed.success) {
    log.error('an answer breaks its contract', { route: route.path, issues: parsed.error.issues });
    throw new Error(`the answer of ${route.method} ${route.path} breaks its contract`);
  }
  // The desk shows texts of strangers beside figures. So characters that could hide or move figures are removed, from old rows
  // too.
  return { data: isFor(route, 'operator') ? readable(parsed.data) : parsed.data, meta };
}

/** Returns the account holder of a call that only account holders may make. Throws `unauthorised`. */
export function userOf({ user }: Pick<Context, 'user'>): User {
  if (!user) throw new Problem('unauthorised');
  return user;
}

/** Returns the account holder behind a session, or behind a key that the call allows. Throws `unauthorised`. */
export function holderBehind({ user, key }: Pick<Context, 'user' | 'key'>): AccountHolder {
  const holder = user ?? key?.holder;
  if (!holder) throw new Problem('unauthorised');
  return holder;
}

/** Returns a context with additional fields. Values that the context computes lazily stay lazy. */
export const withMore = (context: Context, more: Partial<Context>): Context =>
  Object.assign(Object.create(context) as Context, more);

/** Shortest Idempotency-Key of a caller without other identification: strangers may choose the same shorter one. */
const OWN_KEY_LENGTH = 16;

/**
 * Returns the default owner of an Idempotency-Key. Answers hold secrets, so only the first caller may get one again: identified
 * by their key, by the secret of the row that they name, or else by their device and a key that nobody guesses.
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
