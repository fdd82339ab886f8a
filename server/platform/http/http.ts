// The HTTP server: builds Fastify with the routes of the contract, and answers every failure as a problem.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem, type Route, isFor } from '@kurs/contract';
import { type AnswerHeaders, addHeaders, headersOfAll, headersOfRoute, watchMethods } from './answers/answer-headers.ts';
import { createEventStreams } from './answers/event-stream.ts';
import { letSiteCall } from './answers/site-origin.ts';
import { type Early, answerEarly, openRefusals } from './answers/unread.ts';
import { type Measured, addHooks, createApp, watchBodies } from './app.ts';
import { type Caller, amongNetworks, openCallers } from './callers/callers.ts';
import { openCounters } from './callers/counters.ts';
import { openDevices } from './callers/device.ts';
import { createLimiter } from './callers/limits.ts';
import { type Call, type Context, type MountOptions, type Work, answerWithin, bind, prepare } from './calls.ts';
import { type Dialect, type Dialects, OURS, openDialects } from './dialect.ts';
import { type Fallback, openFailures } from './failures.ts';
import { type Once, openIdempotency } from './idempotency.ts';
import { type Access, type Authenticate, asPrincipal, requireResource } from './principal.ts';
import { type RequestedAs, type AskingRequest, RequestContext, requestedAs } from './request-context.ts';
import { type ServedCall, type Streaming, createHandler } from './serve.ts';
import { LARGE_BODY, PLAIN_BODY } from './slow-bodies.ts';
import type { Config } from '../base/config.ts';
import type { Db } from '../db/db.ts';
import type { Sealer, Tokens } from '../secrets/secrets.ts';

export type ServerOptions = {
  config: Pick<Config, 'KURS_MODE' | 'KURS_CLIENTS' | 'KURS_STRICT_LIMITS' | 'TRUST_PROXY'>;
  db: Db;
  /** Seals stored answers of calls: `openSealer(serverKeys(…), 'answers')`. */
  sealer: Sealer;
  /** Signs the device cookie. If absent, devices are distinguished only by network and browser headers. */
  tokens?: Tokens;
  /** True if the site is served over https. Then cookies are sent over https only. */
  isSecure?: boolean;
  /** Origin of the site, if the API has another origin. Pages of the site may call the API. */
  siteOrigin?: string | undefined;
  /** Networks and addresses of the only callers that get an answer; everybody's if it is empty or absent. */
  networks?: readonly string[];
  authenticate?: Authenticate;
  /** Called with the address of a proxy, on this machine or in a private network, that is missing in `TRUST_PROXY`. */
  onUnnamedProxy?: (ip: string) => void;
  /** Returns additional headers of all answers to the desk, including refusals. */
  deskHeaders?: () => Promise<Readonly<Record<string, string>>>;
  /** Called with the measurements of each answer. */
  onAnswered?: (answered: Measured) => void;
};

interface Mounted<R extends Route> {
  readonly stream?: Streaming<R>;
  readonly dialect?: Dialect;
}

export type Server = {
  readonly app: FastifyInstance;
  /** Serves a route under the prefix of its dialect, by default our own. In live mode, routes for the sandbox are skipped. */
  mount<R extends Route>(route: R, work: Work<R>, options?: MountOptions<R> & Mounted<R>): void;
  /** Calls a mounted route within this process, for the site. The same rules apply as over HTTP. Throws Problems. */
  call(route: Route, input: unknown, context: Context): Promise<unknown>;
  /**
   * Returns the context of a request. `as`: client, language and Idempotency-Key that a page of the site sets; by default they
   * are read from the headers. Throws `Problem('unknown_client')`.
   */
  contextOf(request: AskingRequest, as?: RequestedAs): RequestContext;
  /**
   * Returns the context of a request after checking that its caller may use `route`. For answers that are not given by a route.
   * Throws the Problems of a refused call.
   */
  admit(request: FastifyRequest, route: Route, as?: RequestedAs): Promise<Context>;
  /** Headers of all answers, for answers that bypass the framework. */
  readonly headers: AnswerHeaders;
  /** Returns the methods that the routes of a path serve, without the site's pages; empty if there is no such route. */
  methodsAt(path: string): readonly string[];
  /**
   * Adds a handler that gets every request before the framework. Meant for prepared answers, which take less time to send than
   * the framework needs. `paths`: paths that only this handler serves.
   */
  answerFirst(answer: Early, paths?: readonly string[]): void;
  /** Sets the function that answers requests for URLs that are outside the API and have no route, and for malformed URLs. */
  fallBackTo(answer: Fallback): void;
  /** Gives a request with files more time. Its body must still arrive at a minimum speed. */
  allowSlow(request: FastifyRequest): void;
  /** Sets the device cookie for a visitor who sent a form and has no such cookie. */
  introduceDevice(request: FastifyRequest, reply: FastifyReply, isSecure: boolean): void;
  /** Answers an error as a problem. */
  fail(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply;
  /** Ends event streams, stops accepting calls, and waits for running calls. */
  close(): Promise<void>;
};

/** Builds the server. The server doesn't listen yet: call `app.listen`. */
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
  if (options.networks && options.networks.length > 0) refuseOthers(app, options.networks, callerOf);
  const counts = countsOf(config);
  const clientOf = clientsAmong(config.KURS_CLIENTS);
  const used = { db, counters, devices, isSecure: options.isSecure === true, counts };
  const contextOf = (request: AskingRequest, as = requestedAs(request, clientOf(request))): RequestContext =>
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

/** Refuses every request from an address outside the networks. */
function refuseOthers(app: FastifyInstance, networks: readonly string[], callerOf: ReturnType<typeof openCallers>): void {
  const isKnown = amongNetworks(networks);
  app.addHook('onRequest', ({ raw }, _reply, done) => done(isKnown(callerOf(raw).ip) ? undefined : new Problem('forbidden')));
}

/**
 * Returns a function that is true for callers whose calls are limited. In a sandbox without strict limits, calls from this
 * machine are not limited.
 */
const countsOf =
  ({ KURS_MODE, KURS_STRICT_LIMITS }: ServerOptions['config']) =>
  ({ isHere }: Caller): boolean =>
    KURS_MODE === 'live' || KURS_STRICT_LIMITS || !isHere;

/** Returns a function that returns the client-id of a request, and throws `unknown_client` if the client is not configured. */
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

/** Returns the functions that mount routes, and call them within this process. */
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
        exposeHeadRoute: route.method === 'GET' && !route.hasEffect,
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
