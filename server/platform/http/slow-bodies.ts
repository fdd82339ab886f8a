import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** Limits of a request body: longest time in all, and the bytes that must arrive in each step, in ms. */
export interface Pace {
  readonly withinMs: number;
  readonly stepMs: number;
  readonly stepBytes: number;
}

/** Pace of calls and plain forms, of 64 kB at most. */
export const PLAIN_BODY: Pace = { withinMs: 15_000, stepMs: 15_000, stepBytes: 0 };
/** Pace of files, sent by a phone on a train: 20 MB at 70 kB a second, and never slower than 4 kB a second. */
export const LARGE_BODY: Pace = { withinMs: 300_000, stepMs: 15_000, stepBytes: 64 * 1024 };

/**
 * Calls `refuse` if the body of a request is slower than its pace. Node has only one limit for all requests, which would have to
 * be the longest. Returns a function that stops the watch, so that another pace may begin; undefined if there is no body to
 * watch.
 */
export function watchBody(
  request: IncomingMessage,
  { withinMs, stepMs, stepBytes }: Pace,
  refuse: (socket: Socket) => void,
): (() => void) | undefined {
  const { headers, socket } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  // Calls from within the process have no connection.
  if (!hasBody || request.complete || !(socket instanceof Socket)) return undefined;
  let left = Math.ceil(withinMs / stepMs);
  let read = socket.bytesRead;
  let timer: NodeJS.Timeout | undefined;
  const poll = (): void => {
    left -= 1;
    const isFast = socket.bytesRead - read >= stepBytes;
    read = socket.bytesRead;
    if (request.complete || socket.destroyed) stop();
    else if (left <= 0 || !isFast) {
      stop();
      refuse(socket);
    }
  };
  // Most bodies arrive with their heads and are complete by then.
  const begin = setImmediate(() => {
    if (request.complete || socket.destroyed) return;
    timer = setInterval(poll, stepMs).unref();
    request.once('end', stop).once('close', stop);
  });
  const stop = (): void => {
    clearImmediate(begin);
    clearInterval(timer);
  };
  return stop;
}
