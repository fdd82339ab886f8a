// HTTP: Fastify with the contract's routes mounted, every failure told as a problem, and nothing else decided here.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { Problem, fieldProblem, isFor, localeOf, type Input, type Route } from '@kurs/contract';
import { z } from 'zod';
import { type AnswerHeaders, addHeaders, headersOfAll, headersOfRoute, watchMethods } from './answers/answer-headers.ts';
import { answer, answerWithin, bind, prepare, type Call, type Context, type MountOptions, type Work } from './calls.ts';
import { type Caller, openCallers } from './callers/callers.ts';
import { monotonicMs } from '../base/clock.ts';
import { type Counters, openCounters } from './callers/counters.ts';
import type { Config } from '../base/config.ts';
import type { Db } from '../db/db.ts';
import { openDevices } from './callers/device.ts';
import { type Dialect, OURS, openDialects } from './dialect.ts';
import { createEventStreams, type Followed } from './answers/event-stream.ts';
import { openIdempotency } from './idempotency.ts';
import { isUntyped, problemOfFramework } from './answers/framework-errors.ts';
import { inputOf } from './input.ts';
import { jsonFault } from './json-fault.ts';
import { type Allowance, createLimiter, type Limiter } from './callers/limits.ts';
import { livingLikeUs } from '../base/living-processes.ts';
import { libraryLog, log, logAbout } from '../base/log.ts';
import { type Authenticate, asPrincipal, requireResource } from './principal.ts';
import { problemBody } from './answers/problem-answer.ts';
import { redactText } from '../base/redact.ts';
import { type AskingRequest, type AskedAs, askedAs, RequestContext } from './request-context.ts';
import type { Sealer, Tokens } from '../secrets/secrets.ts';
import { defineSettings } from '../db/settings.ts';
import { sendTogether } from './answers/send-together.ts';
import { letSiteCall } from './answers/site-origin.ts';
import { type Packed, smaller } from './answers/smaller.ts';
import { LARGE_BODY, PLAIN_BODY, type Pace, watchBody } from './slow-bodies.ts';
import { type Early, answerEarly, isPacked, openRefusals, refuseBroken } from './answers/unread.ts';

const BODY_LIMIT = 64 * 1024;
/** Seconds to wait where a problem doesn't say it. */
const WAITS: Readonly<Record<number, number>> = { 429: 60, 503: 2 };

const settings = defineSettings('platform', {
  'platform.reads_per_minute': {
    schema: z.int().min(1).max(1_000_000),
    initial: 600,
    unit: 'calls',
    looser: 'up',
    words: 'GET calls an address may make in a minute',
  },
  'platform.writes_per_minute': {
    schema: z.int().min(1).max(1_000_000),
    initial: 120,
    unit: 'calls',
    looser: 'up',
    words: 'POST calls an address may make in a minute',
  },
  'platform.unnamed_share': {
    schema: z.int().min(1).max(100),
    initial: 50,
    unit: '%',
    looser: 'up',
    words: 'percent of these limits for callers without a client-id',
  },
});

export type ServerOptions = {
  config: Pick<Config, 'KURS_MODE' | 'KURS_CLIENTS' | 'KURS_STRICT_LIMITS' | 'TRUST_PROXY'>;
  db: Db;
  /** Seals stored answers: `openSealer(serverKeys(…), 'answers')`. */
  sealer: Sealer;
  /** Signs the cookie by which devices are told apart; without it they are by network and browser only. */
  tokens?: Tokens;
  /** Whether our pages are reached by https, so that cookies are for it only. */
  secure?: boolean;
  /** Origin of the site, where the API has another one: its pages may call. */
  siteOrigin?: string | undefined;
  authenticate?: Authenticate;
  /** Told of an address of our own network that forwards for others and is not among `TRUST_PROXY`. */
  onUnnamedProxy?: (ip: string) => void;
  /** Headers that every answer to the desk has at this moment, refusals included. */
  deskHeaders?: () => Promise<Readonly<Record<string, string>>>;
  /** Told of each answer: the route as it is declared, and how long it took. Nothing is measured without. */
  onAnswered?: (answered: Measured) => void;
};

export type Measured = { readonly method: string; readonly route: string; readonly status: number; readonly seconds: number };

const JSON_TYPE = 'application/json; charset=utf-8';

/** A call as it is served: with the headers of its answers. */
interface Served {
  readonly call: Call;
  readonly dialect: Dialect;
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: Streaming<Route> | undefined;
}

type Fallback = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** Judges who asks for the stream of a route, and gives what it tells. Throws as the route's work does. */
export type Streaming<R extends Route> = (input: Input<R>, context: Context) => Promise<Followed>;

interface Mounted<R extends Route> {
  readonly stream?: Streaming<R>;
  readonly dialect?: Dialect;
}

export type Server = {
  readonly app: FastifyInstance;
  /** Serves a route under the prefix of its dialect, ours unless it brings another. A route of the sandbox is left out in live mode. */
  mount<R extends Route>(route: R, work: Work<R>, options?: MountOptions<R> & Mounted<R>): void;
  /** Asks a mounted route from within the process, as the site's client does: same rules, no HTTP. Throws Problems. */
  call(route: Route, input: unknown, context: Context): Promise<unknown>;
  /** Who asks by this request, and for whom a page of ours asks. Throws `Problem('unknown_client')`. */
  contextOf(request: AskingRequest, as?: AskedAs): RequestContext;
  /** The context of a request whose caller the route allows, for who answers past the routes. Throws as a call does. */
  admit(request: FastifyRequest, route: Route, as?: AskedAs): Promise<Context>;
  /** The headers that every answer has, for who answers past the framework. */
  readonly headers: AnswerHeaders;
  /** The methods that an address serves beside the site's; none where there is no such address. */
  methodsAt(path: string): readonly string[];
  /**
   * Lets `answer` see every request before the framework does; it says whether it has answered. For what lies ready:
   * the framework costs more than sending it does. `paths`: addresses that nobody else reads.
   */
  answerFirst(answer: Early, paths?: readonly string[]): void;
  /** What answers an address outside the API that no route has, or that can't even be read. */
  fallBackTo(answer: Fallback): void;
  /** Gives a request with files the time that they take, at a pace that nobody who means harm keeps. */
  allowSlow(request: FastifyRequest): void;
  /** Makes anyone who sent a form to our site known as a device from now on, by a cookie. */
  introduceDevice(request: FastifyRequest, reply: FastifyReply, secure: boolean): void;
  /** Answers an error as a problem. */
  fail(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply;
  /** Stops taking calls, ends streams, waits for running calls. */
  close(): Promise<void>;
};

/** Builds the server; `app.listen` is the caller's. */
export function buildServer(options: ServerOptions): Server {
  const { config, db } = options;
  const isLive = config.KURS_MODE === 'live';
  const headers = headersOfAll(isLive);
  const refusals = openRefusals(headers);
  const app = Fastify({
    // What the framework itself has to say; a line for each request would cost more than most answers do.
    loggerInstance: libraryLog() as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT,
    // A body has its own time (`slow-bodies.ts`); these are for a head, and the last resort for all.
    requestTimeout: LARGE_BODY.withinMs + 30_000,
    http: { headersTimeout: 15_000, requireHostHeader: false },
    clientErrorHandler: refuseBroken(refusals),
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    // What the framework refuses before any route: an address that can't be read. A visitor is shown the site's page for it.
    frameworkErrors: (error, request, reply) => void refuse(request as FastifyRequest, reply as FastifyReply, error),
  });
  // JSON or nothing, and each field of it once.
  app.removeContentTypeParser('text/plain');
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    parseJson(request, body as string, (error, value) => {
      if (error) return body === '' && request.method === 'DELETE' ? done(null, undefined) : done(error);
      const fault = jsonFault(body as string, value);
      return fault ? done(fieldProblem('body', fault)) : done(null, value);
    }),
  );
  const limiter = createLimiter();
  const once = openIdempotency(db, options.sealer);
  const streams = createEventStreams();
  const calls = new Map<Route, Call>();
  const apiHeaders = headersOfRoute(headers);
  const stopWatching = new WeakMap<IncomingMessage, () => void>();
  const watch = (request: IncomingMessage, pace: Pace): void => {
    const stop = watchBody(request, pace, (socket) => refusals.end(socket, 408));
    if (stop) stopWatching.set(request, stop);
  };
  const early = answerEarly(app.server, headers, (request, response) => {
    refusals.note(request, response);
    watch(request, PLAIN_BODY);
  });
  const served = watchMethods(app);
  const dialects = openDialects();
  addHeaders(app, headers, (url) => dialects.of(url).challenge);
  if (options.siteOrigin !== undefined) letSiteCall(app, options.siteOrigin, dialects.has);
  const clients = new Set(['public', ...config.KURS_CLIENTS]);
  const access = { ...options.authenticate, mode: config.KURS_MODE };
  const devices = openDevices(options.tokens);
  const callerOf = openCallers(config.TRUST_PROXY, options.onUnnamedProxy);
  const secure = options.secure === true;
  const counters = openCounters(db);
  const used = { db, counters, devices, secure, counts: (caller: Caller) => counts(caller, config) };

  const clientOf = ({ headers }: AskingRequest): string => {
    const clientId = headers['client-id'] ?? 'public';
    if (typeof clientId !== 'string' || !clients.has(clientId)) throw new Problem('unknown_client');
    return clientId;
  };
  const contextOf = (request: AskingRequest, as = askedAs(request, clientOf(request))): RequestContext =>
    new RequestContext(request, as, callerOf(request.raw), { ...used, bearerOf: dialects.of(request.url).bearerOf });

  const fail: Server['fail'] = (request, reply, error) => {
    const { problem, reference } = problemOf(error, request, callerOf(request.raw).ip);
    const body = problemBody(problem, localeOf(request.headers['accept-language']), reference);
    const { retryAfter, most } = problem.details;
    const wait = retryAfter ?? WAITS[problem.status];
    if (wait !== undefined) reply.header('retry-after', wait);
    if (problem.status === 429) reply.headers(rateHeaders({ limit: most ?? 1, remaining: 0, resetSeconds: wait ?? 1 }));
    const told = dialects.of(request.url).errorOf(body);
    return reply.code(problem.status).headers(apiHeaders).header('content-type', told.type).send(JSON.stringify(told.body));
  };

  let fallback: Fallback | undefined;
  const refuse = async (request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<unknown> => {
    if (dialects.has(request.url) || served.at(request.url).length > 0 || !fallback) return fail(request, reply, error);
    try {
      return await fallback(request, reply);
    } catch (failure) {
      return fail(request, reply, failure);
    }
  };

  const handle = async (
    { call, headers, stream, dialect }: Served,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> => {
    const begin = monotonicMs();
    const context = contextOf(request, askedAs(request, isFor(call.route, 'sandbox') ? 'public' : clientOf(request)));
    const { caller, clientId } = context;
    let told: Record<string, string | number> | undefined;
    if (isFor(call.route, 'operator')) told = await options.deskHeaders?.();
    const count = async (asker?: Context): Promise<void> => {
      if (!used.counts(caller)) return;
      const by = { clientId, key: asker?.key?.id, whose: (asker && shownBy(asker)) ?? caller.network };
      const counted = countCall({ limiter, counters }, call.route, by);
      told = { ...told, ...rateHeaders(counted instanceof Promise ? await counted : counted) };
    };
    try {
      const counting = async (error: unknown): Promise<never> => {
        await count();
        throw error;
      };
      const known = asPrincipal(call.route, context, access);
      const asker = known instanceof Promise ? await known.catch(counting) : known;
      // Who has shown who they are has what others of their network can't use up.
      await count(asker);
      const question = requireResource(prepare(call, inputOf(request), asker));
      if (stream && request.method === 'GET' && request.headers.accept?.includes('text/event-stream')) {
        const { of, tell } = await stream(question.input, question.context);
        const opened = streams.open(reply, headers, { of, network: used.counts(caller) ? caller.network : undefined });
        await tell(opened).catch((error: unknown) => {
          log.error('a stream failed', { of: call.route.path, error });
          opened.end();
        });
        return;
      }
      const body = await answer(question, once, dialect.bodyOf);
      logCall(call.route, context, begin);
      const cookie = context.newCookie === undefined ? {} : { 'set-cookie': context.newCookie };
      if (call.route.empty) sendNothing(reply, { ...headers, ...told });
      else
        send(
          reply,
          { ...headers, 'content-type': JSON_TYPE, ...told, ...cookie },
          smaller(body, request.headers['accept-encoding']),
        );
    } catch (error) {
      if (told) reply.headers(told);
      throw error;
    }
  };

  app.addHook('onRequest', (request, reply, done) => {
    // `GET http://elsewhere/x`, which is for a proxy: nothing here is one, and nobody below should take it for a path.
    if (!request.url.startsWith('/')) return done(new Problem('not_found'));
    if (isPacked(request)) {
      reply.header('accept-encoding', 'identity');
      return done(new Problem('unsupported_media_type'));
    }
    done();
  });
  // Behind the reading of the body, which goes on under the connection and not under the request.
  app.addHook('preValidation', (request, _reply, done) => logAbout({ requestId: request.id }, done));
  const { onAnswered } = options;
  if (onAnswered) {
    app.addHook('onResponse', (request, reply, done) => {
      const { method, routeOptions } = request;
      onAnswered({ method, route: routeOptions.url ?? 'none', status: reply.raw.statusCode, seconds: reply.elapsedTime / 1_000 });
      done();
    });
  }
  const answerNobodys = (request: FastifyRequest, reply: FastifyReply): unknown => {
    const path = request.url.split('?')[0]!;
    const allowed = served.at(path);
    if (allowed.length === 0 && !dialects.has(path) && fallback) return fallback(request, reply);
    if (allowed.length === 0 || allowed.includes(request.method)) return fail(request, reply, new Problem('not_found'));
    reply.header('allow', allowed.join(', '));
    return fail(request, reply, new Problem('method_not_allowed'));
  };
  app.setNotFoundHandler(answerNobodys);
  app.setErrorHandler((error, request, reply) =>
    isUntyped(error) ? answerNobodys(request, reply) : fail(request, reply, error),
  );
  app.addHook('preClose', async () => streams.closeAll());

  return {
    app,
    fallBackTo(answer) {
      fallback = answer;
    },
    allowSlow({ raw }) {
      stopWatching.get(raw)?.();
      watch(raw, LARGE_BODY);
    },
    mount(route, work, options = {}) {
      if (isLive && isFor(route, 'sandbox')) return;
      const { dialect = OURS } = options;
      const call = bind(route, work, { ...options, ...(dialect !== OURS && { prefix: dialect.prefix }) });
      calls.set(route, call);
      dialects.add(dialect);
      const stream = options.stream as Streaming<Route> | undefined;
      const one: Served = { call, dialect, stream, headers: headersOfRoute(headers, route) };
      app.route({
        method: route.method,
        url: dialect.prefix + route.path,
        exposeHeadRoute: route.method === 'GET' && !route.changes,
        handler: (request, reply) => handle(one, request, reply),
      });
    },
    async call(route, input, context) {
      const call = calls.get(route);
      if (!call) throw new Problem('not_found');
      const known = asPrincipal(route, context, access);
      const asker = known instanceof Promise ? await known : known;
      const found = await answerWithin(requireResource(prepare(call, input, asker)), once);
      return found.meta === undefined ? found.data : found;
    },
    headers,
    methodsAt: served.at,
    answerFirst(first, paths = []) {
      for (const path of paths) served.add(['GET', 'HEAD'], path);
      early(first);
    },
    contextOf,
    admit: async (request, route, as) => asPrincipal(route, contextOf(request, as), access),
    introduceDevice(request, reply, secure) {
      const cookie = devices.introduce(request.headers, secure);
      if (cookie !== undefined) reply.header('set-cookie', cookie);
    },
    fail,
    close: () => app.close(),
  };
}

/** Sends an answer without the framework, whose own sending costs as much as a quote's arithmetic. */
function send(reply: FastifyReply, headers: Readonly<Record<string, string | number>>, { body, headers: more }: Packed): void {
  reply.hijack();
  reply.raw.writeHead(200, { ...headers, ...more, 'content-length': Buffer.byteLength(body) });
  sendTogether(reply.raw, body);
}

function sendNothing(reply: FastifyReply, headers: Readonly<Record<string, string | number>>): void {
  reply.hijack();
  reply.raw.writeHead(204, headers).end();
}

const counts = ({ isHere }: Caller, { KURS_MODE, KURS_STRICT_LIMITS }: ServerOptions['config']): boolean =>
  KURS_MODE === 'live' || KURS_STRICT_LIMITS || !isHere;

/** Under which name the calls of anyone who has shown who they are are counted; undefined for anybody else. */
const shownBy = ({ user, operator }: Context): string | undefined =>
  user ? `session ${user.sessionId}` : operator && `operator ${operator.id}`;

/**
 * Counts a call for a network, for who has shown who they are, or for a key; gives what they are told of it. A key has its
 * budget with all processes together; of anybody else each process counts by itself, its share of the whole. Throws
 * `rate_limited`.
 */
function countCall(
  { limiter, counters }: { readonly limiter: Limiter; readonly counters: Counters },
  route: Route,
  { clientId, key, whose }: { readonly clientId: string; readonly key: string | undefined; readonly whose: string },
): Allowance | Promise<Allowance> {
  const kind = route.method === 'GET' ? 'reads' : 'writes';
  const share = clientId === 'public' && isFor(route, 'public') ? settings.get('platform.unnamed_share') : 100;
  const whole = (settings.get(`platform.${kind}_per_minute`) * share) / 100;
  if (key !== undefined) return counters.take(`${kind} key ${key}`, { most: Math.max(1, Math.floor(whole)), seconds: 60 });
  const most = Math.max(1, Math.floor(whole / livingLikeUs()));
  return limiter.take(`${kind} ${whose}`, { most, seconds: 60 });
}

function rateHeaders({ limit, remaining, resetSeconds }: Allowance): Record<string, number> {
  return { 'ratelimit-limit': limit, 'ratelimit-remaining': remaining, 'ratelimit-reset': resetSeconds };
}

/** The problem to tell for any error; what isn't one of ours is logged whole and shown bare, under the request's id. */
function problemOf(error: unknown, request: FastifyRequest, ip: string): { problem: Problem; reference?: string } {
  const problem = error instanceof Problem ? error : problemOfFramework(error);
  if (problem && problem.status < 500) return { problem };
  const { id: requestId, method } = request;
  const call = { requestId, method, url: redactText(request.url), ip };
  if (problem) log.warn('call failed', { ...call, problem: problem.code, error: problem.details.cause });
  else log.error('call failed', { ...call, error });
  return { problem: problem ?? new Problem('internal'), reference: requestId };
}

function logCall({ method, path, idempotent }: Route, { clientId, ip }: Context, begin: number): void {
  const level = idempotent ? 'info' : 'debug';
  log[level]('call', { method, path, clientId, ip, ms: Math.round((monotonicMs() - begin) * 10) / 10 });
}
