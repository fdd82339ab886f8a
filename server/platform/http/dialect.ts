// Dialects of APIs. A dialect has a prefix of paths, an Authorization scheme, and forms of answers and errors. One dialect is
// that of our own API; rooms may add others.

import type { CallAnswer } from './calls.ts';
import { PROBLEM_TYPE, type ProblemBody } from './answers/problem-answer.ts';

export interface Dialect {
  /** Prefix of the paths of all routes in this dialect. */
  readonly prefix: string;
  /** Returns the credential in an Authorization header; undefined if this dialect doesn't support the header's scheme. */
  bearerOf(authorization: string): string | undefined;
  /** Value of `WWW-Authenticate` in answers with 401 (RFC 9110, 11.6.1). */
  readonly challenge: string;
  /** Returns the body of an answer; a list has `meta` beside its `data`. */
  bodyOf(answer: CallAnswer): unknown;
  /** Returns the content type and the body of an error. */
  errorOf(problem: ProblemBody): { readonly type: string; readonly body: unknown };
}

export const API_PREFIX = '/api/v1';
const BEARER = /^Bearer +([\w.~+/=-]{1,500})$/i;

/** The dialect of our own API. */
export const OURS: Dialect = {
  prefix: API_PREFIX,
  bearerOf: (authorization) => BEARER.exec(authorization)?.[1],
  challenge: 'Bearer',
  bodyOf: (answer) => answer,
  errorOf: (body) => ({ type: PROBLEM_TYPE, body }),
};

/** The dialects of a server. */
export interface Dialects {
  add(dialect: Dialect): void;
  /** Returns the dialect of a URL; our own if no other dialect has its prefix. */
  of(url: string): Dialect;
  /** Returns true if a URL belongs to an API rather than to the site. */
  has(url: string): boolean;
}

export function openDialects(): Dialects {
  const known = new Set<Dialect>();
  const find = (url: string): Dialect | undefined => {
    for (const dialect of known) if (url.startsWith(`${dialect.prefix}/`)) return dialect;
    return undefined;
  };
  return {
    add: (dialect) => void (dialect === OURS || known.add(dialect)),
    of: (url) => find(url) ?? OURS,
    has: (url) => url.startsWith('/api/') || find(url) !== undefined,
  };
}
