import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Request that a hook received. */
export interface Posted {
  /** Path with query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** HTTP server on this machine that receives postbacks, in place of an affiliate's server. */
export interface Hook {
  readonly origin: string;
  /** Origin on this machine to which nothing may be sent. */
  readonly another: string;
  /** Received requests, the oldest first. */
  readonly heard: readonly Posted[];
  close(): void;
}

/**
 * Starts the server. A system may send to its private address only if the system's `KURS_PRIVATE_WEBHOOKS` is the server's
 * origin.
 */
export async function openHook(): Promise<Hook> {
  const heard: Posted[] = [];
  const server = createServer(async (request, response) => {
    const headers = request.headers as Record<string, string>;
    heard.push({ path: request.url ?? '', headers, body: await text(request) });
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    another: `http://127.0.0.1:${port - 1}`,
    heard,
    close: () => void server.close(),
  };
}
