// Refuses bytes that are no HTTP request, and requests that no route could answer, before any route is called.

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
   * Ends a connection. First sends a refusal with this status, unless the answer to the current request has begun, or the
   * answer to an earlier request is unfinished. The caller would take the refusal for a part of that answer.
   */
  readonly end: (socket: Socket, status: number, error?: Error) => void;
}

/** Returns the functions that refuse bytes and requests on a server. `all`: headers sent with every answer. */
export function openRefusals(all: AnswerHeaders): Refusals {
  const last = new WeakMap<Socket, { readonly request: IncomingMessage; readonly response: ServerResponse }>();
  const isAwaited = (socket: Socket): boolean => {
    const known = last.get(socket);
    if (!known) return true;
    const { request, response } = known;
    // If the last request has arrived completely, the wrong bytes belong to the next request, so the last answer must be
    // finished. Otherwise the wrong bytes belong to the last request, so its answer must not have begun. A response gets its
    // socket once all earlier answers are sent.
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
    // The caller has closed the connection, so nobody would read an answer.
    if (error.code === 'ECONNRESET') socket.destroy(error);
    else end(socket, STATUSES[error.code ?? ''] ?? 400, error);
  };
}

/** Handler before the framework: answers a request and returns true, or returns false. */
export type Early = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Makes a server refuse any `Expect` header but `100-continue` (RFC 9110, 10.1.1), and requests without a host (RFC 9112, 3.2).
 * Returns a function that adds a handler before the framework; handlers are tried in the order of addition. Before any handler,
 * `begin` is called with each request.
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
