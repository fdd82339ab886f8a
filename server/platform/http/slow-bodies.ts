import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** How long a request may take to arrive as a whole, and how many bytes have to come in each step of that time. */
export interface Pace {
  readonly withinMs: number;
  readonly stepMs: number;
  readonly stepBytes: number;
}

/** Calls and plain forms: 64 kB at most. */
export const PLAIN_BODY: Pace = { withinMs: 15_000, stepMs: 15_000, stepBytes: 0 };
/** Files from a phone in a train: 20 MB at 70 kB a second, and never slower than 4 kB a second. */
export const LARGE_BODY: Pace = { withinMs: 300_000, stepMs: 15_000, stepBytes: 64 * 1024 };

/**
 * Has the connection of a request ended by `refuse` where its body does not come at its pace: Node has one time for all requests,
 * which would have to be the longest. Gives what stops the watch: another pace may begin then. Undefined where nothing is to be
 * watched.
 */
export function watchBody(
  request: IncomingMessage,
  { withinMs, stepMs, stepBytes }: Pace,
  refuse: (socket: Socket) => void,
): (() => void) | undefined {
  const { headers, socket } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  // What is asked from within the process has no connection.
  if (!hasBody || request.complete || !(socket instanceof Socket)) return undefined;
  let left = Math.ceil(withinMs / stepMs);
  let read = socket.bytesRead;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    left -= 1;
    const isFast = socket.bytesRead - read >= stepBytes;
    read = socket.bytesRead;
    if (request.complete || socket.destroyed) stop();
    else if (left <= 0 || !isFast) {
      stop();
      refuse(socket);
    }
  };
  // Most bodies come with their heads and are there by then.
  const begin = setImmediate(() => {
    if (request.complete || socket.destroyed) return;
    timer = setInterval(look, stepMs).unref();
    request.once('end', stop).once('close', stop);
  });
  const stop = (): void => {
    clearImmediate(begin);
    clearInterval(timer);
  };
  return stop;
}
