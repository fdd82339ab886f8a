// The headers of answers, whatever sends them.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Exposure, frameAncestors } from '@kurs/contract';

export type AnswerHeaders = Readonly<Record<string, string>>;

/**
 * Those of every answer: nothing is taken for what it isn't said to be, and with real money browsers keep to https (RFC 6797).
 */
export function headersOfAll(isLive: boolean): AnswerHeaders {
  return {
    'x-content-type-options': 'nosniff',
    ...(isLive && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
  };
}

/** What nobody has stated otherwise of: in nobody's frame, and no address told. */
const UNSTATED: AnswerHeaders = { 'content-security-policy': frameAncestors(), 'referrer-policy': 'no-referrer' };

/** Those of an answer of an API: framing and referrer policy as its route states them. */
export function headersOfRoute(all: AnswerHeaders, exposure: Exposure = {}): AnswerHeaders {
  return {
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; ${frameAncestors(exposure)}`,
    'referrer-policy': exposure.referrer ?? 'no-referrer',
    ...all,
  };
}

/** A built file that a page is made of: no document, and never shown by itself. */
const isPart = (reply: FastifyReply): boolean => String(reply.getHeader('cache-control')).endsWith('immutable');

/**
 * Gives all answers that go out by the framework their headers, what their routes state of framing and referrer or else
 * nothing, and those of 401 the way to sign in at their address (RFC 9110, 11.6.1).
 */
export function addHeaders(app: FastifyInstance, all: AnswerHeaders, challengeAt: (url: string) => string): void {
  app.addHook('onSend', ({ url }, reply, payload, done) => {
    for (const name in all) if (!reply.hasHeader(name)) reply.header(name, all[name]);
    if (!isPart(reply)) for (const name in UNSTATED) if (!reply.hasHeader(name)) reply.header(name, UNSTATED[name]);
    if (reply.statusCode === 401) reply.header('www-authenticate', challengeAt(url));
    done(null, payload);
  });
}

/** The methods that each address of a server serves. */
export interface Served {
  /** Those at a path; nothing where no address is. A catch-all is none. */
  at(path: string): string[];
  add(methods: readonly string[], path: string): void;
}

/** Notes the methods of all routes that are added from now on, those that the framework adds by itself too. */
export function watchMethods(app: FastifyInstance): Served {
  const served = new Map<string, Set<string>>();
  /** Those of `served` that stand for more than one path. */
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

/** A path in which a `:name` stands for any part, and a `*` for all that follows. */
const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:[^/]+/g, '[^/]+')
      .replace('*', '.*')}$`,
  );
