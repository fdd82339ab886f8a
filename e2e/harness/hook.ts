import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What was posted to a hook. */
export interface Posted {
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A server on this machine that postbacks are sent to, as an affiliate's own. */
export interface Hook {
  readonly origin: string;
  /** An origin of this machine that nothing may be sent to. */
  readonly another: string;
  /** What was posted to it, the oldest first. */
  readonly heard: readonly Posted[];
  close(): void;
}

/** Opens it. The system whose `KURS_PRIVATE_WEBHOOKS` is its origin may reach it, though its address is private. */
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
