// Refusals before any route is called: of bytes that are no HTTP request, and of requests that no route could answer.

import { type IncomingMessage, STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type AnswerHeaders, headersOfRoute } from './answer-headers.ts';
import { PROBLEM_TYPE } from './problem-answer.ts';

/** Statuses by error code of the HTTP parser. All other errors get 400. */
const STATUSES: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** A refusal: a problem of type `about:blank` (RFC 9457, 4.2.1). */
interface Refusal {
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
}

function refusal(status: number, all: AnswerHeaders): Refusal {
  const body = JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status });
  const own = { 'content-type': PROBLEM_TYPE, 'content-length': Buffer.byteLength(body), connection: 'close' };
  return { headers: { ...headersOfRoute(all), ...own }, body };
}

/**
 * Returns a refusal as the bytes to write to a connection, for cases without a response object. `all`: the headers of all
 * answers.
 */
function refusalBytes(status: number, all: AnswerHeaders): string {
  const { headers, body } = refusal(status, all);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}

/** Ends connections that sent bytes which are no HTTP request, or that were too slow. */
export interface Refusals {
  /** Records a request and its response. Call it for each request that arrives. */
  readonly note: (request: IncomingMessage, response: ServerResponse) => void;
  /**
   * Ends a connection. Sends a refusal with this status before, if the caller waits for one. If the answer to the current
   * request has begun, or the answer to an earlier request is unfinished, no refusal is sent. The caller would take it for that
   * answer.
   */
  readonly end: (socket: Socket, status: number, error?: Error) => void;
}

/** Returns the refusals of a server. `all`: the headers of all answers. */
export function openRefusals(all: AnswerHeaders): Refusals {
  const last = new WeakMap<Socket, { readonly request: IncomingMessage; readonly response: ServerResponse }>();
  const isAwaited = (socket: Socket): boolean => {
    const known = last.get(socket);
    if (!known) return true;
    const { request, response } = known;
    // If the last request is complete, the wrong bytes belong to the next request: then the answer before must be finished.
    // Otherwise they belong to the last request: then its answer must not have begun. A response gets its socket when its turn
    // comes.
    return request.complete ? response.writableFinished : response.socket === socket && !response.headersSent;
  };
  return {
    note: (request, response) => void last.set(request.socket, { request, response }),
    end(socket, status, error) {
      if (!socket.writable || !isAwaited(socket)) socket.destroy(error);
      else socket.end(refusalBytes(status, all), () => socket.destroy(error));
    },
  };
}

/** Returns the framework's `clientErrorHandler`, which refuses bytes that can't be parsed as a request. */
export function refuseBroken({ end }: Refusals): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    // The caller has closed the connection: nobody reads an answer.
    if (error.code === 'ECONNRESET') socket.destroy(error);
    else end(socket, STATUSES[error.code ?? ''] ?? 400, error);
  };
}

/** Handler before the framework: answers a request and returns true, or returns false. */
export type Early = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Makes a server refuse any `Expect` header but `100-continue` (RFC 9110, 10.1.1), and requests without a host (RFC 9112, 3.2).
 * Returns a function that adds a handler before the framework; handlers are tried in the order of addition. `begin` is called
 * with each request first.
 */
export function answerEarly(server: Server, all: AnswerHeaders, begin: Refusals['note']): (early: Early) => void {
  const refuse = (response: ServerResponse, status: number): true => {
    const { headers, body } = refusal(status, all);
    response.writeHead(status, headers).end(body);
    return true;
  };
  const ask: Early[] = [
    ({ headers, httpVersion }, response) => !('host' in headers) && httpVersion !== '1.0' && refuse(response, 400),
  ];
  const [handle] = server.listeners('request') as ((...pair: Parameters<Early>) => void)[];
  server.removeAllListeners('request');
  server.on('request', (...pair) => {
    begin(...pair);
    if (!ask.some((early) => early(...pair))) handle?.(...pair);
  });
  server.on('checkExpectation', (request, response) => {
    begin(request, response);
    refuse(response, 417);
  });
  return (early) => void ask.push(early);
}

/** Returns true if a request's body has a content encoding. No route decodes bodies (RFC 9110, 15.5.16). */
export function isPacked({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && method !== 'GET' && method !== 'HEAD' && encoding.trim().toLowerCase() !== 'identity';
}
