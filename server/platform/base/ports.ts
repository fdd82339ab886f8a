// Chooses TCP ports for servers that begin to listen only a while after the choice.
//
// A port that the system picks is also one that it gives to outgoing connections. A busy machine opens thousands of them, so the
// port may be taken before the server listens. So these ports come from below that range (RFC 6056 §3.2; Linux begins at 32768).
// Each process begins at a different place, so that processes started together don't pick the same ports.

import { createServer } from 'node:net';

const FIRST = 15_000;
const COUNT = 15_000;
/** Distance in ports between the first choices of two processes with consecutive ids. */
const STRIDE = 10;
/** Attempts on further ports, if a port was taken between the check and the start. */
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
 * Runs `begin` with a free port. Another program may take the port before the server listens on it: then `begin` runs again with
 * another port. Throws an error that has another cause.
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
