// Dialects of APIs: the prefix of the paths, the way in which callers identify themselves, and the forms of answers and errors.
// Ours is one; another comes from the room that serves it.

import type { CallAnswer } from './calls.ts';
import { PROBLEM_TYPE, type ProblemBody } from './answers/problem-answer.ts';

export interface Dialect {
  /** Prefix of the paths of all its routes. */
  readonly prefix: string;
  /** Returns the credential in an Authorization header, for `Authenticate`; undefined if this dialect doesn't know the scheme. */
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
  /** Returns the dialect of an address; ours if it belongs to none. */
  of(url: string): Dialect;
  /** Returns true if an address belongs to an API, and so not to the site. */
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
