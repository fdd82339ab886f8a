// A cheap caller over HTTP, so that the bench measures the server and not the caller.
//
// It counts answers: it reads the status and the length of each head, and skips the body. It does not sleep between quick
// answers, since waking it costs the server's process more than a small answer on a virtual machine.

import { once } from 'node:events';
import { type Socket, connect } from 'node:net';

/** A request that is repeated. */
export interface Shot {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Time to spin after an answer: many times the pause between two quick answers. */
const MOMENT_MS = 0.3;

/**
 * Sends each connection's requests in turn, repeatedly for `seconds`. Returns the number of answers. Throws at the first error.
 */
export async function callAgain(url: string, connections: readonly (readonly Shot[])[], seconds: number): Promise<number> {
  const { host, hostname, port } = new URL(url);
  const until = performance.now() + seconds * 1_000;
  const sockets = await Promise.all(
    connections.map(async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      await once(socket, 'connect');
      return socket;
    }),
  );
  const wakefulness = new Wakefulness();
  try {
    const counts = sockets.map((socket, at) => {
      socket.on('data', () => wakefulness.extend());
      const requests = (connections[at] ?? []).map((shot) => bytesOf(shot, host));
      return ask(socket, requests, until);
    });
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

function bytesOf({ method = 'GET', path, headers = {}, body = '' }: Shot, host: string): Buffer {
  const all = { host, ...headers, ...(body && { 'content-length': String(Buffer.byteLength(body)) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** Sends one request after the other on one connection. Returns the number of answers. */
function ask(socket: Socket, requests: readonly Buffer[], until: number): Promise<number> {
  return new Promise((done, fail) => {
    let answered = 0;
    let head: Buffer | undefined;
    /** Bytes of the body that have not arrived yet. */
    let left = 0;
    const next = (): void => {
      if (performance.now() >= until) done(answered);
      else socket.write(requests[answered % requests.length] as Buffer);
    };
    const begin = (bytes: Buffer): void => {
      const end = bytes.indexOf('\r\n\r\n');
      if (end < 0) return void (head = bytes);
      const text = bytes.toString('latin1', 0, end);
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      if (!/^HTTP\/1.1 [23]/.test(text) || length === undefined) return fail(new Error(`${socket.remotePort} answered ${text}`));
      head = undefined;
      left = Number(length) + end + 4;
      take(bytes.length);
    };
    const take = (bytes: number): void => {
      left -= bytes;
      if (left > 0) return;
      answered += 1;
      next();
    };
    socket.on('data', (bytes) => (left > 0 ? take(bytes.length) : begin(head ? Buffer.concat([head, bytes]) : bytes)));
    socket.on('error', fail).on('close', () => fail(new Error('the connection was closed')));
    next();
  });
}

/**
 * Prevents this process from sleeping for a moment after each answer. Not for longer: two processors are often two halves of one,
 * and a spinning caller slows down a long piece of work beside it.
 */
class Wakefulness {
  #last = 0;
  #isTurning = false;

  extend(): void {
    this.#last = performance.now();
    if (this.#isTurning) return;
    this.#isTurning = true;
    setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    this.#isTurning = performance.now() - this.#last < MOMENT_MS;
    if (this.#isTurning) setImmediate(this.#turn);
  };
}
