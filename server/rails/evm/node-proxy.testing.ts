import type { AddressInfo } from 'node:net';
import fastify from 'fastify';

/** A JSON-RPC call, and its answer, as they are sent. */
export interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}
export type Answer = { readonly id: number; readonly result?: unknown; readonly error?: unknown };

/** A proxy in front of a node. It counts the blocks that are read, and may change answers. */
export interface NodeProxy {
  readonly url: string;
  /** Number of blocks that were read with their transactions. */
  blocks: number;
  /** Returns the answer to give in place of the node's. */
  change: (call: Call, answer: Answer) => Answer;
  close(): Promise<void>;
}

/** Opens a proxy in front of a node's JSON-RPC. At first it changes no answer. */
export async function openProxy(rpc: string): Promise<NodeProxy> {
  const server = fastify({ bodyLimit: 10_000_000 });
  const proxy = { url: '', blocks: 0, change: (_call: Call, answer: Answer): Answer => answer, close: () => server.close() };
  server.post('/', async (request) => {
    const calls = (Array.isArray(request.body) ? request.body : [request.body]) as readonly Call[];
    proxy.blocks += calls.filter(({ method, params }) => method === 'eth_getBlockByNumber' && params[1] === true).length;
    const body = JSON.stringify(calls);
    const headers = { 'content-type': 'application/json' };
    const answers = (await (await fetch(rpc, { method: 'POST', headers, body })).json()) as Answer[];
    const changed = answers.map((answer) => {
      const call = calls.find(({ id }) => id === answer.id);
      return call ? proxy.change(call, answer) : answer;
    });
    return Array.isArray(request.body) ? changed : changed[0];
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  proxy.url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/`;
  return proxy;
}

/** Changes answers into those of a node without old states: it gives balances and nonces only at the newest block. */
export function withoutOldStates({ method, params }: Call, answer: Answer): Answer {
  const isOld = /Balance|TransactionCount/.test(method) && String(params[1]).startsWith('0x');
  return isOld ? { id: answer.id, error: { code: -32_000, message: 'missing trie node' } } : answer;
}
