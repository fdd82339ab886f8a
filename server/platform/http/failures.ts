// Answers to requests that fail, and to URLs without a route.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem, localeOf } from '@kurs/contract';
import { log } from '../base/log.ts';
import { redactText } from '../base/redact.ts';
import { type AnswerHeaders, type Served, headersOfRoute } from './answers/answer-headers.ts';
import { problemOfFramework } from './answers/framework-errors.ts';
import { problemBody } from './answers/problem-answer.ts';
import type { openCallers } from './callers/callers.ts';
import { rateHeaders } from './callers/count-calls.ts';
import type { Dialects } from './dialect.ts';

/** Default of the `retry-after` header, in seconds by status. */
const WAITS: Readonly<Record<number, number>> = { 429: 60, 503: 2 };

/** Answers a request for a URL that is outside the API and has no route. */
export type Fallback = (request: FastifyRequest, reply: FastifyReply) => unknown;

export interface Failures {
  /** Answers an error as a problem, in the dialect of the request's URL. */
  fail(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply;
  /**
   * Answers a request that the framework refused before any route was called. For a URL outside the API, the answer is an error
   * page of the site.
   */
  refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<unknown>;
  /** Answers a request if no route serves its URL, or its method. */
  answerUnknown(request: FastifyRequest, reply: FastifyReply): unknown;
  /** Sets the function that answers requests for URLs that are outside the API and have no route. */
  fallBackTo(answer: Fallback): void;
}

/** Dependencies of `openFailures`. */
interface Parts {
  readonly headers: AnswerHeaders;
  readonly dialects: Dialects;
  /** HTTP methods that the server supports, by path. */
  readonly served: Served;
  readonly callerOf: ReturnType<typeof openCallers>;
}

/** Returns the functions that answer failed requests of a server. */
export function openFailures({ headers, dialects, served, callerOf }: Parts): Failures {
  const apiHeaders = headersOfRoute(headers);
  let fallback: Fallback | undefined;

  const fail: Failures['fail'] = (request, reply, error) => {
    const { problem, reference } = problemOf(error, request, callerOf(request.raw).ip);
    const body = problemBody(problem, localeOf(request.headers['accept-language']), reference);
    const { retryAfter, max } = problem.details;
    const wait = retryAfter ?? WAITS[problem.status];
    if (wait !== undefined) reply.header('retry-after', wait);
    if (problem.status === 429) reply.headers(rateHeaders({ limit: max ?? 1, remaining: 0, resetSeconds: wait ?? 1 }));
    const reported = dialects.of(request.url).errorOf(body);
    return reply
      .code(problem.status)
      .headers(apiHeaders)
      .header('content-type', reported.type)
      .send(JSON.stringify(reported.body));
  };

  return {
    fail,
    async refuse(request, reply, error) {
      if (dialects.has(request.url) || served.at(request.url).length > 0 || !fallback) return fail(request, reply, error);
      try {
        return await fallback(request, reply);
      } catch (failure) {
        return fail(request, reply, failure);
      }
    },
    answerUnknown(request, reply) {
      const path = request.url.split('?')[0]!;
      const allowed = served.at(path);
      if (allowed.length === 0 && !dialects.has(path) && fallback) return fallback(request, reply);
      if (allowed.length === 0 || allowed.includes(request.method)) return fail(request, reply, new Problem('not_found'));
      reply.header('allow', allowed.join(', '));
      return fail(request, reply, new Problem('method_not_allowed'));
    },
    fallBackTo(answer) {
      fallback = answer;
    },
  };
}

/**
 * Returns the problem with which an error is answered. An error that is no `Problem` is logged completely, and answered as
 * `internal`.
 */
function problemOf(error: unknown, request: FastifyRequest, ip: string): { problem: Problem; reference?: string } {
  const problem = error instanceof Problem ? error : problemOfFramework(error);
  if (problem && problem.status < 500) return { problem };
  const { id: requestId, method } = request;
  const call = { requestId, method, url: redactText(request.url), ip };
  if (problem) log.warn('call failed', { ...call, problem: problem.code, error: problem.details.cause });
  else log.error('call failed', { ...call, error });
  return { problem: problem ?? new Problem('internal'), reference: requestId };
}
