// Chooses TCP ports for servers that begin to listen some time after the choice.
//
// The system gives outgoing connections ports from the same range as automatically chosen ones. A busy machine opens thousands
// of connections, so a port of this range may be taken before the server listens. The ports chosen here are below the range,
// which begins at 32768 on Linux (RFC 6056 §3.2). Each process begins at a different port, so that processes started together
// don't choose the same.

import { createServer } from 'node:net';

const FIRST = 15_000;
const COUNT = 15_000;
/** Distance in ports between the first choices of two processes with consecutive ids. */
const STRIDE = 10;
/** Maximum number of further ports to try, if a port was taken between the choice and the start. */
const TRIES = 5;

let next = (process.pid * STRIDE) % COUNT;

/** Returns a TCP port of 127.0.0.1 that is free now and that this process has not chosen before. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries += 1) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${FIRST} to ${FIRST + COUNT - 1} is free`);
}

/**
 * Runs `begin` with a free port. If another program has taken the port before the server listens, runs `begin` again with
 * another port. Throws any other error of `begin`.
 */
export async function onFreePort<T>(begin: (port: number) => Promise<T>, choose = freePort): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const port = await choose();
    try {
      return await begin(port);
    } catch (error) {
      if (tries === TRIES || (await isFree(port))) throw error;
    }
  }
}

/** Returns true if nobody listens on a port. Throws any error but `EADDRINUSE`. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? done(false) : fail(error)));
    probe.listen(port, host, () => probe.close(() => done(true)));
  });
}
