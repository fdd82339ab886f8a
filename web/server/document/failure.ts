import type { CallError } from '@kurs/contract/client';
import { data } from 'react-router';
import { m } from '../../features/words.ts';
import type { Visit } from '../routing/visit.ts';

/** Content of the error page. */
export interface Failure {
  readonly status: number;
  readonly path: string;
  /** Title that replaces the general title of error pages. */
  readonly title?: string;
  /**
   * Message in the page's language: the problem, or a note that we have logged the problem. Absent for a page that does not
   * exist.
   */
  readonly message?: string;
  readonly reference?: string;
  /** English message for programs, if a page does not exist. */
  readonly statusMessage?: string;
  /** True if a route exists for the URL but refuses a part of it. */
  readonly isInvalid?: true;
}

/**
 * True if an error came from a call of the API. The error's name is compared, not its class. The site's bundle has its own copy
 * of the class, but calls inside the server throw the original.
 */
export function isCallError(error: unknown): error is CallError {
  return error instanceof Error && error.name === 'CallError';
}

/** True if a call failed with one of these codes. */
export function failedWith(error: unknown, ...codes: readonly string[]): error is CallError {
  return isCallError(error) && codes.includes(error.code);
}

/** Throws the failure of a page that does not exist (404): "Page not found: {path}". */
export function notFound(visit: Visit): never {
  const path = visit.url.pathname;
  throw data({ status: 404, path, statusMessage: `Page not found: ${path}` } satisfies Failure, { status: 404 });
}

/** Throws the failure of a route that refuses a part of its URL (404): "Page Not Found: {path}". */
export function invalidRoute(visit: Visit): never {
  throw data({ ...refused(visit), isInvalid: true } satisfies Failure, { status: 404 });
}

const refused = ({ url: { pathname: path } }: Visit) => ({ status: 404, path, statusMessage: `Page Not Found: ${path}` });

/** Throws the failure of a page that does not exist (404) with this title and message. */
export function notThere(visit: Visit, title: string, message: string): never {
  throw data({ ...refused(visit), title, message } satisfies Failure, { status: 404 });
}

/**
 * Converts an error to the content of the error page. A failed call keeps its status and message. Any other error is reported and
 * becomes a 500.
 */
export function asFailure(error: unknown, visit: Visit): ReturnType<typeof data<Failure>> {
  const path = visit.url.pathname;
  if (isCallError(error) && error.status >= 400 && error.code !== 'internal') {
    const reference = error.reference === undefined ? {} : { reference: error.reference };
    return data({ status: error.status, path, message: error.message, ...reference }, { status: error.status });
  }
  const reference = (isCallError(error) && error.reference) || visit.report(error);
  return data({ status: 500, path, message: m.error_500_lead(), reference }, { status: 500 });
}
