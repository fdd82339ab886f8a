import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/**
 * Limits of a request body. `withinMs`: maximum time for the whole body. `stepBytes`: minimum number of bytes that must arrive
 * in each `stepMs`.
 */
export interface Pace {
  readonly withinMs: number;
  readonly stepMs: number;
  readonly stepBytes: number;
}

/** Limits for calls and plain forms, whose bodies have at most 64 kB. */
export const PLAIN_BODY: Pace = { withinMs: 15_000, stepMs: 15_000, stepBytes: 0 };
/** Limits for files, chosen for a phone on a train: 20 MB at 70 kB a second, and never less than 4 kB a second. */
export const LARGE_BODY: Pace = { withinMs: 300_000, stepMs: 15_000, stepBytes: 64 * 1024 };

/**
 * Calls `refuse` if the body of a request arrives more slowly than the limits allow. Node has one time limit for all requests,
 * which would have to be the longest. Returns a function that stops the check, so that the caller can set other limits;
 * undefined if the request has no body to check.
 */
export function watchBody(
  request: IncomingMessage,
  { withinMs, stepMs, stepBytes }: Pace,
  refuse: (socket: Socket) => void,
): (() => void) | undefined {
  const { headers, socket } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  // Requests made within this process have no socket.
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
  // Most bodies arrive together with the head and are complete in the next turn of the event loop.
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
