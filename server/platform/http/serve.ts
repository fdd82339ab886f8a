// Serves calls over HTTP: identifies the caller, checks rate limits, runs the handler and sends the answer.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Input, type Route, isFor } from '@kurs/contract';
import { monotonicMs } from '../base/clock.ts';
import { log } from '../base/log.ts';
import type { EventStreams, Followed } from './answers/event-stream.ts';
import { sendTogether } from './answers/send-together.ts';
import { type Packed, smaller } from './answers/smaller.ts';
import { type Call, type Context, type Question, answer, prepare } from './calls.ts';
import type { Caller } from './callers/callers.ts';
import { countCall, rateHeaders } from './callers/count-calls.ts';
import type { Counters } from './callers/counters.ts';
import type { Limiter } from './callers/limits.ts';
import type { Dialect } from './dialect.ts';
import type { Once } from './idempotency.ts';
import { inputOf } from './input.ts';
import { type Access, asPrincipal, requireResource } from './principal.ts';
import { type RequestedAs, type AskingRequest, type RequestContext, requestedAs } from './request-context.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Checks that the caller may read a route's event stream, and returns the stream. Throws the Problems of a refused call. */
export type Streaming<R extends Route> = (input: Input<R>, context: Context) => Promise<Followed>;

/** A mounted call, with the headers of its answers. */
export interface ServedCall {
  readonly call: Call;
  readonly dialect: Dialect;
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: Streaming<Route> | undefined;
}

type Headers = Record<string, string | number>;

/** Dependencies of serving a call. */
interface Parts {
  readonly access: Access;
  readonly once: Once;
  readonly streams: EventStreams;
  readonly limiter: Limiter;
  readonly counters: Counters;
  /** Returns true if the calls of a caller are limited. */
  readonly counts: (caller: Caller) => boolean;
  readonly contextOf: (request: AskingRequest, as?: RequestedAs) => RequestContext;
  /** Returns the client-id of a request. Throws `Problem('unknown_client')`. */
  readonly clientOf: (request: AskingRequest) => string;
  /** Returns additional headers of answers to the desk. */
  readonly deskHeaders: (() => Promise<Readonly<Record<string, string>>>) | undefined;
}

type Handle = (served: ServedCall, request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Returns the function that serves mounted calls. The function throws the call's Problems after setting the headers of rate
 * limits.
 */
export function createHandler(parts: Parts): Handle {
  const { access, once, contextOf, clientOf, deskHeaders } = parts;
  return async (served, request, reply) => {
    const { call, dialect } = served;
    const begin = monotonicMs();
    const context = contextOf(request, requestedAs(request, isFor(call.route, 'sandbox') ? 'public' : clientOf(request)));
    const extra: Headers = {};
    if (isFor(call.route, 'operator')) Object.assign(extra, await deskHeaders?.());
    try {
      const counting = async (error: unknown): Promise<never> => {
        await count(parts, call.route, context, extra);
        throw error;
      };
      const known = asPrincipal(call.route, context, access);
      const asker = known instanceof Promise ? await known.catch(counting) : known;
      // A signed-in caller has a separate limit, which other callers in the same network can't use up.
      await count(parts, call.route, context, extra, asker);
      const question = requireResource(prepare(call, inputOf(request), asker));
      if (served.stream && request.method === 'GET' && request.headers.accept?.includes('text/event-stream')) {
        return await openStream(parts, served.stream, served, question, context.caller, reply);
      }
      const body = await answer(question, once, dialect.bodyOf);
      logCall(call.route, context, begin);
      sendAnswer(request, reply, served, { body, extra, cookie: context.newCookie });
    } catch (error) {
      reply.headers(extra);
      throw error;
    }
  };
}

/** Counts a call if its caller is limited, and adds the headers of the limit to `extra`. Throws `rate_limited`. */
async function count(
  { limiter, counters, counts }: Parts,
  route: Route,
  { clientId, caller }: RequestContext,
  extra: Headers,
  asker?: Context,
): Promise<void> {
  if (!counts(caller)) return;
  const by = { clientId, key: asker?.key, whose: (asker && signedInAs(asker)) ?? caller.network };
  const counted = countCall({ limiter, counters }, route, by);
  Object.assign(extra, rateHeaders(counted instanceof Promise ? await counted : counted));
}

/** Returns the name of a signed-in caller's counter; undefined for all other callers. */
const signedInAs = ({ user, operator }: Context): string | undefined =>
  user ? `session ${user.sessionId}` : operator && `operator ${operator.id}`;

/** Answers with an event stream, after `stream` has checked the permission. If writing to the stream fails, the stream ends. */
async function openStream(
  { streams, counts }: Parts,
  stream: Streaming<Route>,
  { call, headers }: ServedCall,
  { input, context }: Question,
  caller: Caller,
  reply: FastifyReply,
): Promise<void> {
  const { of, report } = await stream(input, context);
  const opened = streams.open(reply, headers, { of, network: counts(caller) ? caller.network : undefined });
  await report(opened).catch((error: unknown) => {
    log.error('a stream failed', { of: call.route.path, error });
    opened.end();
  });
}

/** An answer to send: its body, the headers that only this answer has, and the cookie that it sets. */
type Ready = { readonly body: string; readonly extra: Headers; readonly cookie: string | undefined };

function sendAnswer(request: FastifyRequest, reply: FastifyReply, { call, headers }: ServedCall, ready: Ready): void {
  const { body, extra, cookie } = ready;
  if (call.route.isEmpty) return sendNothing(reply, { ...headers, ...extra });
  const all = { ...headers, 'content-type': JSON_TYPE, ...extra, ...(cookie !== undefined && { 'set-cookie': cookie }) };
  send(reply, all, smaller(body, request.headers['accept-encoding']));
}

/** Sends an answer without the framework: sending through the framework would cost as much as computing a quote. */
function send(reply: FastifyReply, headers: Readonly<Headers>, { body, headers: more }: Packed): void {
  reply.hijack();
  reply.raw.writeHead(200, { ...headers, ...more, 'content-length': Buffer.byteLength(body) });
  sendTogether(reply.raw, body);
}

function sendNothing(reply: FastifyReply, headers: Readonly<Headers>): void {
  reply.hijack();
  reply.raw.writeHead(204, headers).end();
}

function logCall({ method, path, isIdempotent }: Route, { clientId, ip }: Context, begin: number): void {
  const level = isIdempotent ? 'info' : 'debug';
  log[level]('call', { method, path, clientId, ip, ms: Math.round((monotonicMs() - begin) * 10) / 10 });
}
