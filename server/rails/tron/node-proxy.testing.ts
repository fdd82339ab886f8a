import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import type { TronWorld } from './world.testing.ts';
import { SEED } from './world.testing.ts';
import { tronPublicKeys, tronRail } from './index.ts';

export type Json = Record<string, unknown>;
/** Returns the answer to give instead of the true one, or undefined to keep it. Takes the path, the request's body and the answer. */
export type Lie = (path: string, request: Json, answer: Json) => Json | undefined;

/** A proxy of a node that can change the node's answers. */
export interface NodeProxy {
  readonly url: string;
  lie: Lie;
  /** Opens a new rail with an empty memory, which calls the node through this proxy. */
  rail(): TronWorld['rail'];
  close(): Promise<void>;
}

/** Opens a proxy of a world's node. It passes answers on unchanged until `lie` is set. */
export async function openProxy(world: TronWorld): Promise<NodeProxy> {
  const server = fastify();
  const proxy = {
    url: '',
    lie: (): Json | undefined => undefined,
    rail: () =>
      tronRail({ ...world.config, api: proxy.url }, tronPublicKeys(SEED), {
        sign: async () => ({ ok: false, reason: 'no signer' }),
      }) as TronWorld['rail'],
    close: () => server.close(),
  } as NodeProxy & { url: string };
  server.all('/*', async (request) => {
    const init = { method: request.method, headers: { 'content-type': 'application/json' } };
    const body = request.method === 'POST' ? { body: JSON.stringify(request.body) } : {};
    const answer = (await (await fetch(`${world.config.api}${request.url}`, { ...init, ...body })).json()) as Json;
    return proxy.lie(request.url, (request.body ?? {}) as Json, answer) ?? answer;
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  proxy.url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  return proxy;
}

/** Splits the lists of the index into pages of `size` rows, ignoring the requested limit. */
export function inPagesOf(size: number): Lie {
  return (path, _asked, answer) => {
    if (!path.startsWith('/v1')) return undefined;
    const from = Number.parseInt(new URL(path, 'http://x').searchParams.get('fingerprint') ?? '0', 10);
    const all = answer['data'] as unknown[];
    return { ...answer, data: all.slice(0, size), meta: all.length > size ? { fingerprint: `${from + size}` } : {} };
  };
}
