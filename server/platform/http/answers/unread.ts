// Refusals before any route is called: bytes that are no request, and requests that no route could answer.

import { type IncomingMessage, STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type AnswerHeaders, headersOfRoute } from './answer-headers.ts';
import { PROBLEM_TYPE } from './problem-answer.ts';

/** Statuses for errors of the HTTP parser other than 400. */
const STATUSES: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** A problem without a type of its own: RFC 9457, 4.2.1. */
interface Refusal {
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
}

function refusal(status: number, all: AnswerHeaders): Refusal {
  const body = JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status });
  const own = { 'content-type': PROBLEM_TYPE, 'content-length': Buffer.byteLength(body), connection: 'close' };
  return { headers: { ...headersOfRoute(all), ...own }, body };
}

/** Returns a refusal as bytes, to be sent past Node's own answers. `all`: the headers of all answers. */
function refusalBytes(status: number, all: AnswerHeaders): string {
  const { headers, body } = refusal(status, all);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}

/** Ends connections that sent something that is no request, or not in time. */
export interface Refusals {
  /** Records a request when it arrives. */
  readonly note: (request: IncomingMessage, response: ServerResponse) => void;
  /**
   * Ends a connection, with a status if the caller waits for one. If the answer to this request has begun, or the answer to an
   * earlier one is unfinished, no status is sent: the caller would take it for another request's answer.
   */
  readonly end: (socket: Socket, status: number, error?: Error) => void;
}

/** Opens the refusals of a server. `all`: the headers of all answers. */
export function openRefusals(all: AnswerHeaders): Refusals {
  const last = new WeakMap<Socket, { readonly request: IncomingMessage; readonly response: ServerResponse }>();
  const isAwaited = (socket: Socket): boolean => {
    const known = last.get(socket);
    if (!known) return true;
    const { request, response } = known;
    // After a complete request come bytes of the next one, else bytes of this one. A response has a connection when it is its
    // turn.
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

/** Refuses bytes that can't be parsed as a request: the framework's `clientErrorHandler`. */
export function refuseBroken({ end }: Refusals): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    // The caller has closed the connection: nobody reads an answer.
    if (error.code === 'ECONNRESET') socket.destroy(error);
    else end(socket, STATUSES[error.code ?? ''] ?? 400, error);
  };
}

/** Answers a request if it can, and returns true if it did. */
export type Early = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Refuses an expectation that nobody meets (RFC 9110, 10.1.1), and a request without a host (RFC 9112, 3.2). Returns a function
 * that adds handlers which may answer before the framework, in the order in which they were added. `begin`: receives each request
 * before anybody answers it.
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

/** Returns true if a request's body is encoded, which no route decodes (RFC 9110, 15.5.16). */
export function isPacked({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && method !== 'GET' && method !== 'HEAD' && encoding.trim().toLowerCase() !== 'identity';
}
