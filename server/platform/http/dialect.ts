// How an API speaks: where its calls stand, how callers show who they are, and the shapes of answers and errors. Ours is one;
// another is brought by the room that speaks it.

import type { Answer } from './calls.ts';
import { PROBLEM_TYPE, type ProblemBody } from './answers/problem-answer.ts';

export interface Dialect {
  /** What stands before the path of each of its routes. */
  readonly prefix: string;
  /** What an Authorization header shows of its caller, for `Authenticate`; undefined for nothing that this dialect knows. */
  bearerOf(authorization: string): string | undefined;
  /** How an answer of 401 asks for it (`WWW-Authenticate`; RFC 9110, 11.6.1). */
  readonly challenge: string;
  /** The body of an answer; `meta` stands beside the `data` of a list. */
  bodyOf(answer: Answer): unknown;
  /** The type and the body of an error. */
  errorOf(problem: ProblemBody): { readonly type: string; readonly body: unknown };
}

export const API_PREFIX = '/api/v1';
const BEARER = /^Bearer +([\w.~+/=-]{1,500})$/i;

/** Our own. */
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
  /** The one that an address stands in; ours where it stands in none. */
  of(url: string): Dialect;
  /** Whether an address is one of an API, and so nothing for the site. */
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
