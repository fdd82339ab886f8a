// The HTTP server: builds Fastify with the routes of the contract, and answers every failure as a problem.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem, type Route, isFor } from '@kurs/contract';
import { type AnswerHeaders, addHeaders, headersOfAll, headersOfRoute, watchMethods } from './answers/answer-headers.ts';
import { createEventStreams } from './answers/event-stream.ts';
import { letSiteCall } from './answers/site-origin.ts';
import { type Early, answerEarly, openRefusals } from './answers/unread.ts';
import { type Measured, addHooks, createApp, watchBodies } from './app.ts';
import { type Caller, openCallers } from './callers/callers.ts';
import { openCounters } from './callers/counters.ts';
import { openDevices } from './callers/device.ts';
import { createLimiter } from './callers/limits.ts';
import { type Call, type Context, type MountOptions, type Work, answerWithin, bind, prepare } from './calls.ts';
import { type Dialect, type Dialects, OURS, openDialects } from './dialect.ts';
import { type Fallback, openFailures } from './failures.ts';
import { type Once, openIdempotency } from './idempotency.ts';
import { type Access, type Authenticate, asPrincipal, requireResource } from './principal.ts';
import { type AskedAs, type AskingRequest, RequestContext, askedAs } from './request-context.ts';
import { type ServedCall, type Streaming, createHandler } from './serve.ts';
import { LARGE_BODY, PLAIN_BODY } from './slow-bodies.ts';
import type { Config } from '../base/config.ts';
import type { Db } from '../db/db.ts';
import type { Sealer, Tokens } from '../secrets/secrets.ts';

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
  const app = createApp(refusals, async (...refused) => failures.refuse(...refused));
  const bodies = watchBodies(refusals);
  const early = answerEarly(app.server, headers, (request, response) => {
    refusals.note(request, response);
    bodies.watch(request, PLAIN_BODY);
  });
  const served = watchMethods(app);
  const dialects = openDialects();
  addHeaders(app, headers, (url) => dialects.of(url).challenge);
  if (options.siteOrigin !== undefined) letSiteCall(app, options.siteOrigin, dialects.has);
  const limiter = createLimiter();
  const counters = openCounters(db);
  const devices = openDevices(options.tokens);
  const callerOf = openCallers(config.TRUST_PROXY, options.onUnnamedProxy);
  const counts = countsOf(config);
  const clientOf = clientsAmong(config.KURS_CLIENTS);
  const used = { db, counters, devices, secure: options.secure === true, counts };
  const contextOf = (request: AskingRequest, as = askedAs(request, clientOf(request))): RequestContext =>
    new RequestContext(request, as, callerOf(request.raw), { ...used, bearerOf: dialects.of(request.url).bearerOf });
  const failures = openFailures({ headers, dialects, served, callerOf });
  const access = { ...options.authenticate, mode: config.KURS_MODE };
  const once = openIdempotency(db, options.sealer);
  const streams = createEventStreams();
  const { deskHeaders } = options;
  const handle = createHandler({ access, once, streams, limiter, counters, counts, contextOf, clientOf, deskHeaders });
  addHooks(app, failures, options.onAnswered);
  app.addHook('preClose', async () => streams.closeAll());

  return {
    app,
    ...openCalls({ app, headers, dialects, isLive, handle, access, once }),
    contextOf,
    admit: async (request, route, as) => asPrincipal(route, contextOf(request, as), access),
    headers,
    methodsAt: served.at,
    answerFirst(first, paths = []) {
      for (const path of paths) served.add(['GET', 'HEAD'], path);
      early(first);
    },
    fallBackTo: failures.fallBackTo,
    allowSlow: ({ raw }) => bodies.repace(raw, LARGE_BODY),
    introduceDevice(request, reply, secure) {
      const cookie = devices.introduce(request.headers, secure);
      if (cookie !== undefined) reply.header('set-cookie', cookie);
    },
    fail: failures.fail,
    close: () => app.close(),
  };
}

/** Returns a function that is true for callers whose calls are counted: all but this machine in a sandbox without strict limits. */
const countsOf =
  ({ KURS_MODE, KURS_STRICT_LIMITS }: ServerOptions['config']) =>
  ({ isHere }: Caller): boolean =>
    KURS_MODE === 'live' || KURS_STRICT_LIMITS || !isHere;

/** Returns a function that gives the client that a request names. It throws `unknown_client` for one that is not configured. */
function clientsAmong(configured: readonly string[]): (request: AskingRequest) => string {
  const clients = new Set(['public', ...configured]);
  return ({ headers }) => {
    const clientId = headers['client-id'] ?? 'public';
    if (typeof clientId !== 'string' || !clients.has(clientId)) throw new Problem('unknown_client');
    return clientId;
  };
}

/** Dependencies of mounting and calling routes. */
interface CallParts {
  readonly app: FastifyInstance;
  readonly headers: AnswerHeaders;
  readonly dialects: Dialects;
  readonly isLive: boolean;
  readonly handle: ReturnType<typeof createHandler>;
  readonly access: Access;
  readonly once: Once;
}

/** Mounts routes and calls them from within the process. */
function openCalls({ app, headers, dialects, isLive, handle, access, once }: CallParts): Pick<Server, 'mount' | 'call'> {
  const calls = new Map<Route, Call>();
  return {
    mount(route, work, options = {}) {
      if (isLive && isFor(route, 'sandbox')) return;
      const { dialect = OURS } = options;
      const call = bind(route, work, { ...options, ...(dialect !== OURS && { prefix: dialect.prefix }) });
      calls.set(route, call);
      dialects.add(dialect);
      const stream = options.stream as Streaming<Route> | undefined;
      const one: ServedCall = { call, dialect, stream, headers: headersOfRoute(headers, route) };
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
  };
}
