// The Fastify application, before any route is mounted: its time limits, its body parser and the hooks of all requests.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Problem, fieldProblem } from '@kurs/contract';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { libraryLog, logAbout } from '../base/log.ts';
import { type Refusals, isPacked, refuseBroken } from './answers/unread.ts';
import { isUntyped } from './answers/framework-errors.ts';
import type { Failures } from './failures.ts';
import { jsonFault } from './json-fault.ts';
import { LARGE_BODY, type Pace, watchBody } from './slow-bodies.ts';

const BODY_LIMIT = 64 * 1024;

/**
 * Creates the application. `refuse` answers requests that the framework refuses before any route is called, such as requests
 * with a malformed URL.
 */
export function createApp(refusals: Refusals, refuse: Failures['refuse']): FastifyInstance {
  const app = Fastify({
    // The framework logs only its own messages. Logging a request would cost more than answering most requests.
    loggerInstance: libraryLog() as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT,
    // Time limits for the head of a request, and a long one for the whole request. `slow-bodies.ts` has the stricter limits of
    // bodies.
    requestTimeout: LARGE_BODY.withinMs + 30_000,
    http: { headersTimeout: 15_000, requireHostHeader: false },
    clientErrorHandler: refuseBroken(refusals),
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => void refuse(request, reply, error),
  });
  acceptJsonOnly(app);
  return app;
}

/** Accepts only bodies of JSON without duplicate field names and without too deep nesting. A DELETE may have an empty body. */
function acceptJsonOnly(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    parseJson(request, body as string, (error, value) => {
      if (error) return body === '' && request.method === 'DELETE' ? done(null, undefined) : done(error);
      const fault = jsonFault(body as string, value);
      return fault ? done(fieldProblem('body', fault)) : done(null, value);
    }),
  );
}

/** Enforces a minimum speed of request bodies. */
export interface BodyWatch {
  /** Ends the connection with 408 if the body arrives more slowly than `pace` allows. */
  watch(request: IncomingMessage, pace: Pace): void;
  /** Replaces the limits of a request's body that is already watched. */
  repace(request: IncomingMessage, pace: Pace): void;
}

/** Returns a watch that refuses slow request bodies by `refusals`. */
export function watchBodies(refusals: Refusals): BodyWatch {
  const stopWatching = new WeakMap<IncomingMessage, () => void>();
  const watch: BodyWatch['watch'] = (request, pace) => {
    const stop = watchBody(request, pace, (socket) => refusals.end(socket, 408));
    if (stop) stopWatching.set(request, stop);
  };
  return {
    watch,
    repace(request, pace) {
      stopWatching.get(request)?.();
      watch(request, pace);
    },
  };
}

/** Measurements of one answer: its method, the path of its route, its status, and the time that it took. */
export type Measured = { readonly method: string; readonly route: string; readonly status: number; readonly seconds: number };

/** Adds the hooks and handlers of all requests. `onAnswered` is called with each answer's measurements. */
export function addHooks(app: FastifyInstance, failures: Failures, onAnswered?: (answered: Measured) => void): void {
  app.addHook('onRequest', (request, reply, done) => {
    // A full URL, as in `GET http://elsewhere/x`, is a request to a proxy, which this server is not. No handler may take the
    // URL for a path.
    if (!request.url.startsWith('/')) return done(new Problem('not_found'));
    if (isPacked(request)) {
      reply.header('accept-encoding', 'identity');
      return done(new Problem('unsupported_media_type'));
    }
    done();
  });
  // Runs after body parsing, which loses the request's async context.
  app.addHook('preValidation', (request, _reply, done) => logAbout({ requestId: request.id }, done));
  if (onAnswered) {
    app.addHook('onResponse', (request, reply, done) => {
      const { method, routeOptions } = request;
      onAnswered({ method, route: routeOptions.url ?? 'none', status: reply.raw.statusCode, seconds: reply.elapsedTime / 1_000 });
      done();
    });
  }
  app.setNotFoundHandler(failures.answerUnknown);
  app.setErrorHandler((error, request, reply) =>
    isUntyped(error) ? failures.answerUnknown(request, reply) : failures.fail(request, reply, error),
  );
}
