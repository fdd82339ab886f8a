/** An error that the node answered, with its code and message. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
  }
}

/** The node gave no usable answer. The call may have had its effect. */
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
  /** Returns the number of calls so far. Each call of a batch counts, since providers count so. */
  calls(): number;
  /** Returns the result of one call. Throws `RpcError` or `Unreachable`. */
  call<R>(method: string, ...params: unknown[]): Promise<R>;
  /**
   * Returns the results of several calls, in their order. A failed or missing result is an Error in its place. One node answers all
   * calls of a request; a long list takes several requests. Throws `Unreachable` if a request has no usable answer.
   */
  batch(calls: readonly RpcCall[]): Promise<unknown[]>;
}

/** Calls per request, within the limits of public providers. */
const BATCH = 100;

interface Reply {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly code?: number; readonly message?: string };
}

/** Returns a client of one endpoint. Each request is given up after `timeoutMs`. */
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

/** Returns a call's result, or the error in its place. */
function read(reply: Reply | null | undefined): unknown {
  if (reply?.error) return new RpcError(reply.error.code ?? 0, reply.error.message ?? 'no message');
  return reply?.result === undefined ? new Unreachable('The node answered without a result') : reply.result;
}

/** Returns the result of one call of a batch. Throws the error if there is one in its place. */
export function expect<R>(result: unknown): R {
  if (result instanceof Error) throw result;
  return result as R;
}

/** Reads a quantity of JSON-RPC (`"0x1f"`). Throws `Unreachable` for any other value. */
export function quantity(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]+$/.test(value)) throw new Unreachable('The node answered no quantity');
  return BigInt(value);
}

/** Reads a quantity that is a height or a nonce. Throws `Unreachable` if it is no safe integer. */
export function count(value: unknown): number {
  const parsed = quantity(value);
  if (parsed > BigInt(Number.MAX_SAFE_INTEGER)) throw new Unreachable('The node answered a count out of range');
  return Number.parseInt(parsed.toString(), 10);
}

/** True if a value is a hash of 32 bytes as JSON-RPC writes it. */
export function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value);
}

/** Returns a number as a quantity of JSON-RPC. */
export function hex(value: bigint | number): `0x${string}` {
  return `0x${value.toString(16)}`;
}
