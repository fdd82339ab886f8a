import type { FastifyInstance } from 'fastify';
import type { Faults } from '../faults.ts';
import { ask } from './anvil.ts';

/**
 * JSON-RPC of the node as a provider offers it: reads and signed transactions, without the methods for a node's owner. Faults
 * affect whole requests, as those of a network do.
 */

const ALLOWED = new Set([
  'debug_traceBlockByNumber',
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getCode',
  'eth_getLogs',
  'eth_getStorageAt',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
  'eth_syncing',
  'net_version',
  'trace_filter',
  'trace_transaction',
  'web3_clientVersion',
]);

const REMEMBERED_ANSWERS = 2000;

interface Call {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

interface Reply {
  readonly jsonrpc: '2.0';
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Mounts `POST /` on a scope. `node` returns the node's present address. */
export function mountJsonRpc(scope: FastifyInstance, node: () => Promise<string>, faults: Faults): void {
  const answers = new Map<string, readonly Reply[]>();
  scope.post('/', { bodyLimit: 2_000_000 }, async (request, reply) => {
    const isBatch = Array.isArray(request.body);
    const calls = (isBatch ? request.body : [request.body]) as readonly Call[];
    const question = JSON.stringify(calls.map(({ method, params }) => [method, params]));
    const before = faults.strikes(faults.rates.stale) ? answers.get(question) : undefined;
    const replies =
      before?.map((answer, at) => ({ ...answer, id: calls[at]?.id })) ?? twice(calls, await forward(await node(), calls), faults);
    if (!question.includes('eth_sendRawTransaction')) remember(answers, question, replies);
    return reply.send(isBatch ? replies : replies[0]);
  });
}

/** Forwards allowed calls to the node and refuses the others, in order. */
async function forward(url: string, calls: readonly Call[]): Promise<Reply[]> {
  const allowed = calls.filter((call) => ALLOWED.has(String(call?.method)));
  const body = allowed.map((call, id) => ({ jsonrpc: '2.0', id, method: call.method, params: call.params ?? [] }));
  const replies = body.length === 0 ? [] : ((await ask(url, body)) as Reply[]);
  const given = new Map(replies.map((reply) => [reply.id, reply]));
  return calls.map((call): Reply => {
    const reply = given.get(allowed.indexOf(call));
    const id = call?.id ?? null;
    return reply
      ? { ...reply, id }
      : { jsonrpc: '2.0', id, error: { code: -32_601, message: 'the method does not exist/is not available' } };
  });
}

/** Repeats every row in lists of logs, by the rate of `duplicates`. */
function twice(calls: readonly Call[], replies: readonly Reply[], faults: Faults): readonly Reply[] {
  return replies.map((reply, at) => {
    const isList = calls[at]?.method === 'eth_getLogs' && Array.isArray(reply.result);
    if (!isList || !faults.strikes(faults.rates.duplicates)) return reply;
    return { ...reply, result: (reply.result as unknown[]).flatMap((row) => [row, row]) };
  });
}

function remember(answers: Map<string, readonly Reply[]>, question: string, replies: readonly Reply[]): void {
  answers.delete(question);
  answers.set(question, replies);
  if (answers.size > REMEMBERED_ANSWERS) answers.delete(answers.keys().next().value as string);
}
