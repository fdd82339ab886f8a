// The headers of all answers.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Exposure, frameAncestors } from '@kurs/contract';

export type AnswerHeaders = Readonly<Record<string, string>>;

/** Returns the headers of all answers: browsers must not guess content types, and in live mode must use https (RFC 6797). */
export function headersOfAll(isLive: boolean): AnswerHeaders {
  return {
    'x-content-type-options': 'nosniff',
    ...(isLive && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
  };
}

/** Default headers: no framing by anybody, and no referrer. */
const UNSTATED: AnswerHeaders = { 'content-security-policy': frameAncestors(), 'referrer-policy': 'no-referrer' };

/** Returns the headers of an API answer: framing and referrer policy as its route states them. */
export function headersOfRoute(all: AnswerHeaders, exposure: Exposure = {}): AnswerHeaders {
  return {
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; ${frameAncestors(exposure)}`,
    'referrer-policy': exposure.referrer ?? 'no-referrer',
    ...all,
  };
}

/** True for built files of pages, which are no documents and are never shown alone. */
const isPart = (reply: FastifyReply): boolean => String(reply.getHeader('cache-control')).endsWith('immutable');

/**
 * Adds headers to all answers of the framework: the common ones, the default policies if the route set none, and
 * `WWW-Authenticate` to 401 (RFC 9110, 11.6.1).
 */
export function addHeaders(app: FastifyInstance, all: AnswerHeaders, challengeAt: (url: string) => string): void {
  app.addHook('onSend', ({ url }, reply, payload, done) => {
    for (const name in all) if (!reply.hasHeader(name)) reply.header(name, all[name]);
    if (!isPart(reply)) for (const name in UNSTATED) if (!reply.hasHeader(name)) reply.header(name, UNSTATED[name]);
    if (reply.statusCode === 401) reply.header('www-authenticate', challengeAt(url));
    done(null, payload);
  });
}

/** Methods that each address of a server serves. */
export interface Served {
  /** Returns the methods at a path; empty if no route has it. The catch-all route doesn't count. */
  at(path: string): string[];
  add(methods: readonly string[], path: string): void;
}

/** Records the methods of all routes that are added from now on, also those that the framework adds automatically. */
export function watchMethods(app: FastifyInstance): Served {
  const served = new Map<string, Set<string>>();
  /** Paths of `served` that match several addresses, with their patterns. */
  const patterns = new Map<string, RegExp>();
  const add: Served['add'] = (methods, path) => {
    const known = served.get(path) ?? new Set();
    for (const method of methods) known.add(method);
    served.set(path, known);
    if (/[:*]/.test(path)) patterns.set(path, patternOf(path));
  };
  app.addHook('onRoute', ({ method, url }) => {
    if (url !== '/*') add([method].flat(), url);
  });
  return {
    add,
    at(path) {
      const found = new Set(served.get(path));
      for (const [of, pattern] of patterns) if (pattern.test(path)) for (const method of served.get(of) ?? []) found.add(method);
      return [...found];
    },
  };
}

/** Returns the pattern of a path: `:name` matches one part, `*` everything after it. */
const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:[^/]+/g, '[^/]+')
      .replace('*', '.*')}$`,
  );
