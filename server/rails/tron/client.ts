import { reportOdd } from '../odd.ts';

/** No usable answer: whether the call had an effect is unknown. */
export class Unreachable extends Error {
  constructor(detail: string, cause?: unknown) {
    super(detail, { cause });
    this.name = 'Unreachable';
  }
}

/** A JSON object of a node's. */
export type Reply = Readonly<Record<string, unknown>>;

/** A node's HTTP interface (developers.tron.network, "HTTP API") and TronGrid's index. */
export interface TronClient {
  /** Calls that were made so far, with those that were tried again. */
  calls(): number;
  /** Asks the node: `wallet/…` of the newest block, `walletsolidity/…` of the solid one. Throws Unreachable. */
  ask(path: string, body?: Reply): Promise<Reply>;
  /** Like `ask`, where the node answers with a list. */
  askAll(path: string, body: Reply): Promise<readonly Reply[]>;
  /**
   * A list of TronGrid's from a moment on (milliseconds since 1970), oldest first, page by page as long as `isTime` says and
   * no further than so many pages. `until`: it was not read to its end, and has to be read on from this moment, the one of its
   * last row. A moment that is longer than all those pages is read whole. Throws Unreachable.
   */
  list(path: string, query: Readonly<Record<string, string>>, from: number, isTime: () => boolean): Promise<Listed>;
}

/** Rows of a list, and where to read on. */
export interface Listed {
  readonly rows: readonly Reply[];
  readonly until?: number;
}

const PAGE = '200';
const PAGES = 5;

const TRIES = 3;
/** What has an effect is never asked twice here. */
const WRITES: ReadonlySet<string> = new Set(['wallet/broadcasthex']);
/** Milliseconds after which a read is asked again: one connection that hangs must not hold up all the rest. */
const IMPATIENT_MS = 1_500;

/** A client of one endpoint. A request is given up after `timeoutMs`; a read is tried twice before, impatiently. */
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
      // A block without transactions is answered by an empty object.
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

/** When the block of a list's row was made, in milliseconds since 1970; undefined where it says nothing that can be. */
export function momentOf(row: Reply | undefined): number | undefined {
  const moment = row?.['block_timestamp'];
  return typeof moment === 'number' && Number.isSafeInteger(moment) && moment > 0 ? moment : undefined;
}

/** A whole number of a reply's as a bigint; what is left out is 0, as protobuf's JSON does. Throws Unreachable. */
export function integer(value: unknown): bigint {
  if (value === undefined) return 0n;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  throw new Unreachable('The node answered no whole number');
}

/** Like `integer`, for counts. */
export function count(value: unknown): number {
  return Number.parseInt(integer(value).toString(), 10);
}

/** A 32-byte word in hexadecimal as a bigint. Throws Unreachable. */
export function word(value: unknown): bigint {
  if (typeof value !== 'string' || !/^(?:0x)?[0-9a-f]{1,64}$/i.test(value)) throw new Unreachable('The node answered no number');
  return BigInt(value.startsWith('0x') ? value : `0x${value}`);
}

/** A part of a reply that is an object itself; empty where it is left out. */
export function part(reply: Reply, name: string): Reply {
  const value = reply[name];
  return isReply(value) ? value : {};
}

/** A part of a reply that is a list of objects; empty where it is left out. Whatever else it lists is an empty object. */
export function parts(reply: Reply, name: string): readonly Reply[] {
  const value = reply[name];
  return Array.isArray(value) ? value.map((one) => (isReply(one) ? one : {})) : [];
}

/** A node's message, which it writes in hexadecimal. */
export function said(value: unknown): string {
  if (typeof value !== 'string') return '';
  return /^(?:[0-9a-f]{2})+$/i.test(value) ? Buffer.from(value, 'hex').toString() : value;
}

/** Does some work for each of many, a few at a time; the results in their order. The first failure ends it. */
export async function each<A, B>(many: readonly A[], work: (one: A) => Promise<B>, together = 8): Promise<B[]> {
  const results: B[] = [];
  const waiting = many.entries();
  const worker = async (): Promise<void> => {
    for (const [at, one] of waiting) results[at] = await work(one);
  };
  await Promise.all(Array.from({ length: Math.min(together, many.length) }, worker));
  return results;
}

/** Like `each`, for independent items: one that fails is left out and logged. */
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
