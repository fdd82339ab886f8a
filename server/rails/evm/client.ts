/** The node answered that it can't or won't: its own code and message. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
  }
}

/** No usable answer: whether the call had an effect is unknown. */
export class Unreachable extends Error {
  constructor(detail: string, cause?: unknown) {
    super(detail, { cause });
    this.name = 'Unreachable';
  }
}

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** JSON-RPC 2.0 over HTTP. */
export interface RpcClient {
  /** Calls that were made so far; each of a batch is one, since providers count so. */
  calls(): number;
  /** One call's result. Throws RpcError or Unreachable. */
  call<R>(method: string, ...params: unknown[]): Promise<R>;
  /**
   * Calls that one node answers together, in the order given; a single call's error stands in its place, as does what was
   * left out. Long lists are cut into several requests. Throws Unreachable.
   */
  batch(calls: readonly RpcCall[]): Promise<unknown[]>;
}

/** Calls per request: within what public providers allow. */
const BATCH = 100;

interface Reply {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly code?: number; readonly message?: string };
}

/** A client of one endpoint; each request is given up after `timeoutMs`. */
export function rpcClient(url: string, timeoutMs: number): RpcClient {
  let calls = 0;
  const post = async (body: unknown): Promise<unknown> => {
    calls += Array.isArray(body) ? body.length : 1;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`status ${response.status}: ${text.slice(0, 200)}`);
      return JSON.parse(text);
    } catch (error) {
      throw new Unreachable(`The node did not answer: ${error instanceof Error ? error.message : 'unknown'}`, error);
    }
  };
  const request = (call: RpcCall, id: number): object => ({ jsonrpc: '2.0', id, ...call });
  return {
    calls: () => calls,
    async call<R>(method: string, ...params: unknown[]): Promise<R> {
      return expect<R>(read((await post(request({ method, params }, 1))) as Reply | null));
    },
    async batch(calls) {
      const results: unknown[] = [];
      for (let from = 0; from < calls.length; from += BATCH) {
        const chunk = calls.slice(from, from + BATCH);
        const replies = await post(chunk.map(request));
        if (!Array.isArray(replies)) throw new Unreachable('The node answered a batch with something else');
        const byId = new Map((replies as (Reply | null)[]).map((reply) => [reply?.id, reply]));
        results.push(...chunk.map((_, index) => read(byId.get(index))));
      }
      return results;
    },
  };
}

/** What a call is answered with, or why it isn't. */
function read(reply: Reply | null | undefined): unknown {
  if (reply?.error) return new RpcError(reply.error.code ?? 0, reply.error.message ?? 'no message');
  return reply?.result === undefined ? new Unreachable('The node answered without a result') : reply.result;
}

/** The result of one call of a batch; throws the error that stands in its place. */
export function expect<R>(result: unknown): R {
  if (result instanceof Error) throw result;
  return result as R;
}

/** A quantity of JSON-RPC (`"0x1f"`) as a bigint. Throws Unreachable for anything else. */
export function quantity(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]+$/.test(value)) throw new Unreachable('The node answered no quantity');
  return BigInt(value);
}

/** A quantity that counts something (a height, a nonce) as a safe integer. */
export function count(value: unknown): number {
  const parsed = quantity(value);
  if (parsed > BigInt(Number.MAX_SAFE_INTEGER)) throw new Unreachable('The node answered a count out of range');
  return Number.parseInt(parsed.toString(), 10);
}

/** Whether a value is a hash of 32 bytes as JSON-RPC writes it. */
export function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value);
}

/** A bigint as a quantity of JSON-RPC. */
export function hex(value: bigint | number): `0x${string}` {
  return `0x${value.toString(16)}`;
}
