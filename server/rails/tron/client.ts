import { reportOdd } from '../odd.ts';

/** The node gave no usable answer. The call may have had an effect. */
export class Unreachable extends Error {
  constructor(detail: string, cause?: unknown) {
    super(detail, { cause });
    this.name = 'Unreachable';
  }
}

/** A JSON object in a node's answer. */
export type Reply = Readonly<Record<string, unknown>>;

/** Client of a node's HTTP interface (developers.tron.network, "HTTP API") and of TronGrid's index. */
export interface TronClient {
  /** Returns the number of calls made so far, retries included. */
  calls(): number;
  /** Calls the node: `wallet/…` up to the newest block, `walletsolidity/…` only solid blocks. Throws `Unreachable`. */
  ask(path: string, body?: Reply): Promise<Reply>;
  /** Calls the node and returns a list; empty for an empty object. Throws `Unreachable`. */
  askAll(path: string, body: Reply): Promise<readonly Reply[]>;
  /**
   * Reads a list of TronGrid's from a moment on (milliseconds since 1970), oldest row first, page by page. Stops after
   * `PAGES` pages, or once `isTime` returns false. Reads on while all rows share the first moment, since a list can only be
   * continued from a moment. Throws `Unreachable`, also if the time ends within that first moment.
   */
  list(path: string, query: Readonly<Record<string, string>>, from: number, isTime: () => boolean): Promise<Listed>;
}

/** Rows of a list. `until`: the list was not read to its end and must be read on from this moment, that of its last row. */
export interface Listed {
  readonly rows: readonly Reply[];
  readonly until?: number;
}

const PAGE = '200';
const PAGES = 5;

const TRIES = 3;
/** Calls with an effect. The client never repeats them. */
const WRITES: ReadonlySet<string> = new Set(['wallet/broadcasthex']);
/** Timeout of the first tries of a read: one hanging connection must not delay the others. */
const IMPATIENT_MS = 1_500;

/**
 * Opens a client of one endpoint. A call fails after `timeoutMs`. A read is tried three times, the first two with a shorter
 * timeout.
 */
export function tronClient({
  api,
  apiKey,
  timeoutMs,
}: {
  readonly api: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
}): TronClient {
  const headers = { 'content-type': 'application/json', ...(apiKey !== '' && { 'TRON-PRO-API-KEY': apiKey }) };
  let calls = 0;
  const once = async (path: string, init: RequestInit, ms: number): Promise<unknown> => {
    calls += 1;
    try {
      const response = await fetch(`${api}/${path}`, { ...init, headers, signal: AbortSignal.timeout(ms) });
      const text = await response.text();
      if (!response.ok) throw new Error(`status ${response.status}: ${text.slice(0, 200)}`);
      return JSON.parse(text);
    } catch (error) {
      throw new Unreachable(`The node did not answer: ${error instanceof Error ? error.message : 'unknown'}`, error);
    }
  };
  const fetched = async (path: string, init: RequestInit): Promise<unknown> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await once(path, init, tries < TRIES ? Math.min(IMPATIENT_MS, timeoutMs) : timeoutMs);
      } catch (error) {
        if (tries === TRIES) throw error;
      }
    }
  };
  return {
    calls: () => calls,
    ask: async (path, body = {}) => {
      const init = { method: 'POST', body: JSON.stringify(body) };
      const reply = objectOf(await (WRITES.has(path) ? once(path, init, timeoutMs) : fetched(path, init)));
      if ('Error' in reply) throw new Unreachable(`The node says of ${path}: ${String(reply['Error']).slice(0, 200)}`);
      return reply;
    },
    askAll: async (path, body) => {
      const reply = await fetched(path, { method: 'POST', body: JSON.stringify(body) });
      // For a block without transactions the node answers an empty object.
      if (!Array.isArray(reply)) return Object.keys(objectOf(reply)).length === 0 ? [] : noList(path);
      return reply.filter(isReply);
    },
    list: async (path, query, from, isTime) => {
      const rows: Reply[] = [];
      let fingerprint: string | undefined;
      for (let page = 1; ; page += 1) {
        const request = new URLSearchParams({
          ...query,
          order_by: 'block_timestamp,asc',
          ...(from > 0 && { min_timestamp: `${from}` }),
          limit: PAGE,
          ...(fingerprint !== undefined && { fingerprint }),
        });
        const reply = objectOf(await fetched(`${path}?${request}`, { method: 'GET' }));
        if (reply['success'] !== true || !Array.isArray(reply['data'])) throw new Unreachable('The index answered no list');
        rows.push(...(reply['data'] as unknown[]).filter(isReply));
        const next = part(reply, 'meta')['fingerprint'];
        if (typeof next !== 'string' || next === '') return { rows };
        fingerprint = next;
        const until = momentOf(rows.at(-1));
        if (until !== undefined && until > from && (page >= PAGES || !isTime())) return { rows, until };
        if (!isTime()) throw new Unreachable('One moment of the list is longer than there is time');
      }
    },
  };
}

function objectOf(reply: unknown): Reply {
  if (!isReply(reply)) throw new Unreachable('The node answered no object');
  return reply;
}

function noList(path: string): never {
  throw new Unreachable(`The node answered ${path} with no list`);
}

const isReply = (value: unknown): value is Reply => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the time of a row's block, in milliseconds since 1970; undefined if it is missing or invalid. */
export function momentOf(row: Reply | undefined): number | undefined {
  const moment = row?.['block_timestamp'];
  return typeof moment === 'number' && Number.isSafeInteger(moment) && moment > 0 ? moment : undefined;
}

/** Reads a whole number of a reply. A missing one is 0, as in protobuf's JSON. Throws `Unreachable` for anything else. */
export function integer(value: unknown): bigint {
  if (value === undefined) return 0n;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  throw new Unreachable('The node answered no whole number');
}

/** Reads a whole number of a reply as a number. A missing one is 0. Throws `Unreachable` for anything else. */
export function count(value: unknown): number {
  return Number.parseInt(integer(value).toString(), 10);
}

/** Reads a word of at most 32 bytes in hexadecimal. Throws `Unreachable` for anything else. */
export function word(value: unknown): bigint {
  if (typeof value !== 'string' || !/^(?:0x)?[0-9a-f]{1,64}$/i.test(value)) throw new Unreachable('The node answered no number');
  return BigInt(value.startsWith('0x') ? value : `0x${value}`);
}

/** Returns a field of a reply that is an object; an empty object for anything else. */
export function part(reply: Reply, name: string): Reply {
  const value = reply[name];
  return isReply(value) ? value : {};
}

/** Returns a field of a reply that is a list, or an empty list. Members that are not objects become empty objects. */
export function parts(reply: Reply, name: string): readonly Reply[] {
  const value = reply[name];
  return Array.isArray(value) ? value.map((one) => (isReply(one) ? one : {})) : [];
}

/** Decodes a node's message from hexadecimal. Returns other text unchanged, and '' for anything else. */
export function said(value: unknown): string {
  if (typeof value !== 'string') return '';
  return /^(?:[0-9a-f]{2})+$/i.test(value) ? Buffer.from(value, 'hex').toString() : value;
}

/** Runs `work` for each item, `together` at a time, and returns the results in order. Throws the first failure. */
export async function each<A, B>(many: readonly A[], work: (one: A) => Promise<B>, together = 8): Promise<B[]> {
  const results: B[] = [];
  const waiting = many.entries();
  const worker = async (): Promise<void> => {
    for (const [at, one] of waiting) results[at] = await work(one);
  };
  await Promise.all(Array.from({ length: Math.min(together, many.length) }, worker));
  return results;
}

/** Runs `work` for each item as `each` does, but logs an item that fails and leaves it out. */
export async function eachApart<A, B>(
  rail: string,
  field: string,
  many: readonly A[],
  work: (one: A) => Promise<B>,
): Promise<B[]> {
  const found = await each(many, async (one) => {
    try {
      return [await work(one)];
    } catch (error) {
      reportOdd(rail, field, { one, why: error instanceof Error ? error.message : String(error) });
      return [];
    }
  });
  return found.flat();
}
