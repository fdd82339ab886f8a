// Headers that all answers of the server have.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Exposure, frameAncestors } from '@kurs/contract';

export type AnswerHeaders = Readonly<Record<string, string>>;

/**
 * Returns the headers of all answers. These headers forbid browsers to guess content types, and in live mode require https (RFC
 * 6797).
 */
export function headersOfAll(isLive: boolean): AnswerHeaders {
  return {
    'x-content-type-options': 'nosniff',
    ...(isLive && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
  };
}

/** Default policies of answers: no page may show them in a frame, and their links send no referrer. */
const UNSTATED: AnswerHeaders = { 'content-security-policy': frameAncestors(), 'referrer-policy': 'no-referrer' };

/** Returns the headers of answers of an API route. `exposure`: the route's policies for framing and referrers. */
export function headersOfRoute(all: AnswerHeaders, exposure: Exposure = {}): AnswerHeaders {
  return {
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; ${frameAncestors(exposure)}`,
    'referrer-policy': exposure.referrer ?? 'no-referrer',
    ...all,
  };
}

/** True for built files of the site, such as scripts. Such files are no documents, so they need no policies. */
const isPart = (reply: FastifyReply): boolean => String(reply.getHeader('cache-control')).endsWith('immutable');

/**
 * Adds headers to all answers of the framework: the common ones and, if the route set none, the default policies. Answers with
 * 401 also get `WWW-Authenticate` (RFC 9110, 11.6.1).
 */
export function addHeaders(app: FastifyInstance, all: AnswerHeaders, challengeAt: (url: string) => string): void {
  app.addHook('onSend', ({ url }, reply, payload, done) => {
    for (const name in all) if (!reply.hasHeader(name)) reply.header(name, all[name]);
    if (!isPart(reply)) for (const name in UNSTATED) if (!reply.hasHeader(name)) reply.header(name, UNSTATED[name]);
    if (reply.statusCode === 401) reply.header('www-authenticate', challengeAt(url));
    done(null, payload);
  });
}

/** HTTP methods that the server supports, by path. */
export interface Served {
  /** Returns the methods that are served at a path; empty if the path has no route. The catch-all route is ignored. */
  at(path: string): string[];
  add(methods: readonly string[], path: string): void;
}

/** Records the methods of all routes that are added from now on, including routes that the framework adds automatically. */
export function watchMethods(app: FastifyInstance): Served {
  const served = new Map<string, Set<string>>();
  /** Regular expressions of those paths in `served` that have parameters or a wildcard. */
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

/** Returns the regular expression of a route's path: `:name` matches one segment, `*` the rest. */
const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:[^/]+/g, '[^/]+')
      .replace('*', '.*')}$`,
  );
