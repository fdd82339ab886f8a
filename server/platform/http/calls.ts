// Calls: routes of the contract with their handlers. Calls over HTTP and calls of the site within this process work the same.

import { createHash } from 'node:crypto';
import { Problem, fieldProblem, isFor, readable, type Input, type Locale, type Output, type Route } from '@kurs/contract';
import { z } from 'zod';
import type { Db } from '../db/db.ts';
import type { Mode } from '../db/migrate.ts';
import type { StoredAnswer, Once } from './idempotency.ts';
import type { Counted, Limit } from './callers/limits.ts';
import { log } from '../base/log.ts';
import { textProblem, validationProblem } from './answers/problem-answer.ts';

/** An object that permissions may be bound to, such as a store. */
export type Resource = { readonly kind: string; readonly id: string };

/** Permissions on the resource `on`; without `on`, permissions everywhere. */
export type Grant = { readonly permissions: readonly string[]; readonly on?: Resource | undefined };

/** A person of the desk, identified by a desk key, with their role and its permissions. */
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
  /** True if the holder has confirmed the e-mail address. */
  readonly isEmailVerified: boolean;
};

/** An account holder, identified by a session. */
export type User = AccountHolder & { readonly sessionId: string };

/** An API key of an account holder. It is valid for everything that the holder owns, or for one resource. */
export type ApiKey = Grant & { readonly id: string; readonly holder: AccountHolder };

/** The caller of a call: a visitor, an account holder, a person of the desk, or an API key of an account holder. */
export interface Principal {
  readonly kind: 'nobody' | 'user' | 'operator' | 'key';
  /** Id of the account holder, the person of the desk or the API key; empty for a visitor. */
  readonly id: string;
  /**
   * The caller's permissions. A person of the desk has those of the role, an API key those of the key, an account holder those
   * granted on resources.
   */
  readonly grants: readonly Grant[];
  /** Mode of the installation. */
  readonly mode: Mode;
}

/** Context of a call: its caller, and everything else that its handler may use. */
export type Context = {
  readonly db: Db;
  readonly locale: Locale;
  /** Value of the client-id header: `web` for the product's own site, `public` if the header is missing. */
  readonly clientId: string;
  readonly ip: string;
  /** Opaque hash that distinguishes devices behind one IP address, for limits and for the scope of Idempotency-Keys. */
  readonly deviceKey: string;
  /** Opaque hash of the device cookie of the caller's browser; absent without that cookie. */
  readonly browser?: string | undefined;
  /**
   * Returns the hash of the browser's device cookie. If the browser has no such cookie, the answer sets a new one. Absent for
   * callers without a browser.
   */
  introduceBrowser?(): string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** True if an earlier call with this Idempotency-Key ended without an answer. The earlier call may have had its effect. */
  readonly isRepeated?: boolean;
  /**
   * Converts the handler's result into the form in which it is stored, for handlers that store their answer in their own
   * transaction. Absent without an Idempotency-Key.
   */
  readonly storedAnswer?: (given: unknown) => StoredAnswer;
  /** The token of the Authorization header. */
  readonly bearer?: string | undefined;
  /** The caller's User-Agent header. */
  readonly userAgent: string;
  /**
   * The signed-in account holder. Set for routes of account holders. Also set for routes with `mayKnowUser`, if the caller has a
   * session.
   */
  readonly user?: User | undefined;
  /** The API key; set if an account holder's program makes the call. */
  readonly key?: ApiKey | undefined;
  /** The person of the desk; set for routes of the desk. */
  readonly operator?: Operator | undefined;
  /** The caller with their grants; set if the caller has any. */
  readonly principal?: Principal;
  /**
   * Counts an event under `key`, such as a try for an address. All processes share the count. The limit applies in all modes.
   * Throws `Problem('rate_limited')`.
   */
  limit(key: string, limit: Limit): Promise<Counted>;
  /**
   * Counts an event of the caller's network. In the sandbox events from this machine are not counted, unless KURS_STRICT_LIMITS
   * is set.
   */
  limitNetwork(key: string, limit: Limit): Promise<Counted>;
  /** Counts an event of the caller's device. Exceptions are the same as for `limitNetwork`. */
  limitDevice(key: string, limit: Limit): Promise<Counted>;
};

/** Handler of a route. Takes the validated input and returns the answer's `data`, or `{ data, meta }` for a list. */
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

/** Number of rows up to which a list is counted. The answer for a longer list says that there are more rows. */
export const MAX_COUNTED = 10_000;

/** Returns SQL that counts the rows of a `select`, up to `MAX_COUNTED` + 1. The SQL's column is `total`. */
export const countSome = (select: string): string =>
  `select count(*)::int as total from (select from (${select}) as listed limit ${MAX_COUNTED + 1}) as counted`;

/**
 * Returns the `meta` of a page of a list with a known number of rows. `isMore`: true if the list has further rows that no page
 * shows.
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
 * Returns the `meta` of a page of a list. `total`: result of `countSome`. `rows`: number of rows on this page. If the list is
 * longer than `MAX_COUNTED`, a full page is assumed to have a next page.
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
   * Returns the owner of an Idempotency-Key. By default the owner is the known caller, else the object whose id and secret the
   * input contains, else the device.
   */
  scope?: (input: Input<R>, context: Context) => string;
  /**
   * Prefix of the call's path in an API other than our own. The prefix separates the Idempotency-Keys of calls with the same
   * path.
   */
  prefix?: string;
};

/** A route with its handler, ready to be called. */
export type Call = {
  readonly route: Route;
  /** Schema of the input. The schemas of routes that change something refuse unknown fields. */
  readonly strict: z.ZodType;
  readonly work: (input: unknown, context: Context) => Promise<unknown>;
  readonly scope: (input: unknown, context: Context) => string;
  /**
   * Name of the call, which separates its Idempotency-Keys from those of other calls: the path, with method and prefix if
   * needed.
   */
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
  /**
   * Problem about unknown fields. This problem is thrown later than others, since a reused Idempotency-Key must be reported
   * first.
   */
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

/** Result of a call. Lists have `meta`. */
export type CallAnswer = { readonly data: unknown; readonly meta?: unknown };

/**
 * Runs the handler, once per Idempotency-Key if the route supports that, and validates its result. Returns the answer's body as
 * JSON text, in the form of its dialect (`bodyOf`). Throws the handler's Problems, and another error if the handler crashes or
 * its result is invalid.
 */
export async function answer(
  question: Question,
  once: Once,
  bodyOf: (answer: CallAnswer) => unknown = (given) => given,
): Promise<string> {
  const { raw, input, context, call } = question;
  if (!isKeyed(question)) return JSON.stringify(bodyOf(checked(question, await perform(question, context))));
  const scope = `${call.name} ${call.scope(input, context)}`;
  const keyed = { scope, key: question.context.idempotencyKey, request: withoutPassword(raw) };
  const reported = (given: unknown): string => JSON.stringify(bodyOf(checked(question, given)));
  return once(keyed, async (isRepeated, stored) => {
    const storedAnswer = (given: unknown): StoredAnswer => stored(reported(given));
    return reported(await perform(question, withMore(context, { isRepeated, storedAnswer })));
  });
}

/** Returns a request as a repeated one is compared with it: its fast hash is stored for days, so it must hold no password. */
function withoutPassword(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || !('password' in raw)) return raw;
  const { password: _, ...rest } = raw;
  return rest;
}

/** Runs the handler as `answer` does, for a caller within this process. Returns the answer as an object in our own dialect. */
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
  // The desk shows strangers' texts next to amounts. Characters that could hide or move amounts are removed here, since old
  // rows may contain such characters.
  return { data: isFor(route, 'operator') ? readable(parsed.data) : parsed.data, meta };
}

/** Returns the signed-in account holder of a call. Throws `unauthorised` if there is none. */
export function userOf({ user }: Pick<Context, 'user'>): User {
  if (!user) throw new Problem('unauthorised');
  return user;
}

/** Returns the account holder of a call, identified by a session or an API key. Throws `unauthorised` if there is none. */
export function holderBehind({ user, key }: Pick<Context, 'user' | 'key'>): AccountHolder {
  const holder = user ?? key?.holder;
  if (!holder) throw new Problem('unauthorised');
  return holder;
}

/** Returns a context with additional fields. Values that the context computes lazily stay lazy. */
export const withMore = (context: Context, more: Partial<Context>): Context =>
  Object.assign(Object.create(context) as Context, more);

/**
 * Minimum length of an Idempotency-Key of an unidentified caller, in characters. Two strangers might choose the same short key.
 */
const OWN_KEY_LENGTH = 16;

/**
 * Returns the default owner of an Idempotency-Key. Stored answers contain secrets, so only the first caller may get an answer
 * again. The owner is the caller, if the call has a credential. Otherwise it is the object whose id and secret the input
 * contains. Without such an object, it is the device, and the Idempotency-Key must be too long to guess.
 */
function ownScope(route: Route, input: unknown, context: Context): string {
  const { operator, user, key, bearer, clientId, deviceKey, idempotencyKey = '' } = context;
  if (operator) return `operator ${operator.id}`;
  if (user) return `user ${user.id}`;
  if (key) return `key ${key.id}`;
  if (bearer !== undefined) return `bearer ${hashOf(bearer)}`;
  const { order_id, id, token } = input as { order_id?: unknown; id?: unknown; token?: unknown };
  const row = order_id ?? id;
  if (typeof row === 'string' && typeof token === 'string') return `row ${row} ${hashOf(token)}`;
  if (isFor(route, 'public') && idempotencyKey.length < OWN_KEY_LENGTH) throw fieldProblem('Idempotency-Key', 'key_guessable');
  return `device ${clientId} ${deviceKey}`;
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url').slice(0, 22);
