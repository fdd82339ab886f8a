// TCP ports for servers that begin to listen only a while after their port was chosen.
//
// A port that the system picks is one of those that it also gives to outgoing connections, of which a busy machine opens
// thousands: it may be gone before the server listens. So ours come from below that range (RFC 6056 §3.2; Linux begins at
// 32768), and each process begins at a place of its own, so that processes started together don't pick the same ones.

import { createServer } from 'node:net';

const FIRST = 15_000;
const COUNT = 15_000;
/** Ports between the places of two processes whose ids follow each other. */
const STRIDE = 10;
/** So often something is begun on another port, when what was free a moment ago was taken before it was there. */
const TRIES = 5;

let next = (process.pid * STRIDE) % COUNT;

/** A TCP port of 127.0.0.1 that is free now and that this process has not chosen before. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries += 1) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${FIRST} to ${FIRST + COUNT - 1} is free`);
}

/**
 * Begins something on a port that was free. Between the choice and the server that listens there lies time in which
 * anybody may take the port: then it is begun anew on another one. What fails on a port that is free fails.
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

/** Whether nobody listens there. Throws what else speaks against listening. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? done(false) : fail(error)));
    probe.listen(port, host, () => probe.close(() => done(true)));
  });
}
