import type { Address } from 'viem';
import { sumOf, reportOdd, timeOf } from '../../odd.ts';
import { addressIn, sameAddress, topicOf } from '../address.ts';
import { type Arrival, type Chain, type Head, Moved, toParts } from '../chain.ts';
import { type RpcCall, Unreachable, count, hex, isHash, quantity } from '../client.ts';
import { type Past, Pasts, type Reader } from '../reading.ts';
import { TRANSFER_TOPIC } from '../payouts/transaction.ts';

interface RawLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly transactionHash: string;
  readonly logIndex: string;
  readonly removed?: boolean;
}

/** A log that is worth a proof: its address, height, currency and amount. */
interface Worth {
  readonly log: RawLog;
  readonly to: string;
  readonly height: number;
  readonly currency: string;
  readonly parts: bigint;
}

interface RawReceipt {
  readonly status: string;
  readonly blockHash: string;
  readonly logs: readonly RawLog[];
}

interface ProvingBlock {
  readonly number: string;
  readonly timestamp: string;
}

/** Spans (`logBlocks` each) that one poll reads. An address within this distance of the head counts as near. */
const SPANS = 40;
/** Maximum number of requests for logs that one poll splits because the node refuses them, such as a list that is too long. */
const SPLITS = 64;
/** Maximum number of payments to one address that one poll proves. */
const PROOFS = 200;

/** Progress of a poll: for each address its lowest unread height, and the reason if it was stopped. */
class Progress {
  readonly #at: Map<string, number>;
  readonly #stopped = new Map<string, string>();
  splits = SPLITS;

  constructor(known: readonly (Past & { readonly to: string })[]) {
    this.#at = new Map(known.map(({ to, below }) => [to, below]));
  }

  at(to: string): number {
    return this.#at.get(to) ?? 0;
  }

  /** Marks an address as read up to a height, unless it was stopped. */
  reach(to: string, height: number): void {
    if (!this.#stopped.has(to)) this.#at.set(to, height + 1);
  }

  /** Stops an address for this poll: it stays unread from a height on. */
  stop(to: string, height: number, why: string): void {
    this.#at.set(to, Math.min(this.at(to), height));
    this.#stopped.set(to, why);
  }

  isOpen(to: string): boolean {
    return !this.#stopped.has(to);
  }

  left(to: string, head: Head): { readonly from: number; readonly why: string } | undefined {
    const from = this.at(to);
    return from > head.height ? undefined : { from, why: this.#stopped.get(to) ?? 'more blocks than one look reads' };
  }
}

/**
 * Returns the reader of payments in tokens: by logs of the allow-listed contracts, each proved by its receipt. This process caches
 * payments in finalised blocks, so that a long-watched address costs only a read of the newest blocks. An address far behind the
 * head is read in pieces. If the node can't list an address, or its receipts contradict, only that address stops.
 */
export function tokenReader(chain: Chain): Reader {
  const pasts = new Pasts<Past>();
  return {
    poll: async (addresses, head, isTime) => {
      const known = addresses.map((address) => pasts.of(address));
      const progress = new Progress(known);
      const logs = await transfers(chain, known, head, progress, isTime);
      const below = new Map(known.map(({ to, below: from }) => [to, from]));
      const worth = logs
        .flatMap((log) => worthOf(chain, log, head))
        .filter(({ to, height }) => height >= (below.get(to) ?? Infinity));
      const proved = Map.groupBy(await prove(chain, worth, progress), ({ to }) => to);
      return new Map(
        known.map(({ to, below: from, arrivals: past }) => {
          const arrivals = [...past, ...(proved.get(to) ?? [])];
          const settled = Math.max(from, Math.min(progress.at(to), head.finalised + 1));
          pasts.remember(to, { below: settled, arrivals: arrivals.filter(({ height }) => height < settled) });
          return [to, { arrivals, left: progress.left(to, head) }];
        }),
      );
    },
  };
}

/** Returns transfers to addresses since their unread heights. Those near the head come first, so that the others don't delay them. */
async function transfers(
  chain: Chain,
  known: readonly (Past & { readonly to: string })[],
  head: Head,
  progress: Progress,
  isTime: () => boolean,
): Promise<RawLog[]> {
  const near = head.height - SPANS * chain.config.logBlocks;
  const names = ({ to }: { readonly to: string }): string => to;
  const recent = known.filter(({ below }) => below > near).map(names);
  const old = known.filter(({ below }) => below <= near).map(names);
  return [...(await march(chain, recent, head, progress, isTime)), ...(await march(chain, old, head, progress, isTime))];
}

/** Reads span by span, from the lowest unread height of these addresses. */
async function march(
  chain: Chain,
  addresses: readonly string[],
  head: Head,
  progress: Progress,
  isTime: () => boolean,
): Promise<RawLog[]> {
  const { logBlocks, logAddresses } = chain.config;
  const logs: RawLog[] = [];
  for (let span = 0; span <= SPANS && (span === 0 || isTime()); span += 1) {
    const open = addresses.filter((to) => progress.isOpen(to) && progress.at(to) <= head.height);
    if (open.length === 0) break;
    const low = Math.min(...open.map((to) => progress.at(to)));
    const high = Math.min(low + logBlocks - 1, head.height);
    const here = open.filter((to) => progress.at(to) <= high);
    for (let from = 0; from < here.length; from += logAddresses) {
      const chunk = here.slice(from, from + logAddresses);
      logs.push(...(await transfersTo(chain, chunk, { low, high }, head, progress)));
      for (const to of chunk) progress.reach(to, high);
    }
  }
  return logs;
}

/**
 * Returns transfers of all allow-listed contracts to these addresses within a span. The same request reads the head's block, so that
 * a node without the newest blocks can't silently return fewer logs. A refused list is requested in halves: first of the blocks, then
 * of the addresses. An address that the node can't list within one block stops there.
 */
async function transfersTo(
  chain: Chain,
  addresses: readonly string[],
  { low, high }: { readonly low: number; readonly high: number },
  head: Head,
  progress: Progress,
): Promise<RawLog[]> {
  const address = chain.config.tokens.map((token) => token.contract);
  const topics = [TRANSFER_TOPIC, null, addresses.map((to) => topicOf(to as Address))];
  const [found, block] = await chain.client.batch([
    { method: 'eth_getLogs', params: [{ address, topics, fromBlock: hex(low), toBlock: hex(high) }] },
    { method: 'eth_getBlockByNumber', params: [hex(head.height), false] },
  ]);
  if (block instanceof Error) throw new Unreachable(`The node showed no block: ${block.message}`);
  if ((block as { hash?: unknown } | null)?.hash !== head.hash) throw new Moved();
  if (Array.isArray(found)) return (found as RawLog[]).filter((log) => log?.removed !== true);
  const why = found instanceof Error ? found.message : 'The node answered no list';
  progress.splits -= 1;
  if (progress.splits < 0 || (low === high && addresses.length === 1)) {
    for (const to of addresses) progress.stop(to, low, `no list of transfers: ${why}`);
    return [];
  }
  const part = (of: readonly string[], from: number, to: number) =>
    transfersTo(chain, of, { low: from, high: to }, head, progress);
  if (low < high) {
    const middle = (low + high) >> 1;
    return [...(await part(addresses, low, middle)), ...(await part(addresses, middle + 1, high))];
  }
  const half = addresses.length >> 1;
  return [...(await part(addresses.slice(0, half), low, high)), ...(await part(addresses.slice(half), low, high))];
}

/** Reads a log, if it is a transfer of an allow-listed contract above dust. An impossible log is left out, with a warning. */
function worthOf({ config }: Chain, log: RawLog, head: Head): Worth[] {
  try {
    const token = config.tokens.find(({ contract }) => sameAddress(contract, log.address));
    if (!token || log.topics.length !== 3 || log.topics[0] !== TRANSFER_TOPIC) return [];
    if (!isHash(log.transactionHash) || !isHash(log.blockHash)) throw new Unreachable('no hash');
    const parts = sumOf(toParts(token, quantity(log.data)));
    const to = addressIn(log.topics[2] as string);
    const height = count(log.blockNumber);
    if (height > head.height) throw new Unreachable('a log above the head');
    const worth = { log, to, height, currency: token.code, parts };
    return parts >= token.dust && parts > 0n ? [worth] : [];
  } catch (error) {
    reportOdd(config.id, 'eth_getLogs', { log, why: String(error) });
    return [];
  }
}

/** Turns logs into arrivals: the receipt must be of the log's block, successful, and contain the same log. */
async function prove(chain: Chain, all: readonly Worth[], progress: Progress): Promise<Arrival[]> {
  const worth = [...Map.groupBy(all, ({ to }) => to)].flatMap(([to, logs]) => firstOf(to, logs, progress));
  if (worth.length === 0) return [];
  const hashes = (of: (one: Worth) => string): string[] => [...new Set(worth.map(of))];
  const receipts = await fetchEach<RawReceipt>(
    chain,
    hashes(({ log }) => log.transactionHash),
    'eth_getTransactionReceipt',
    [],
  );
  const blocks = await fetchEach<ProvingBlock>(
    chain,
    hashes(({ log }) => log.blockHash),
    'eth_getBlockByHash',
    [false],
  );
  return worth.flatMap((one) => {
    try {
      return arrivalOf(chain, one, receipts.get(one.log.transactionHash), blocks.get(one.log.blockHash));
    } catch (error) {
      // The address stays unread from this block on until the node proves all its payments there.
      progress.stop(one.to, one.height, error instanceof Error ? error.message : String(error));
      return [];
    }
  });
}

/** Returns the logs of an address that one poll proves: the lowest, in whole blocks. The address stops before the rest. */
function firstOf(to: string, logs: readonly Worth[], progress: Progress): readonly Worth[] {
  const sorted = logs.toSorted((a, b) => a.height - b.height);
  const [first, next] = [sorted[0], sorted[PROOFS]];
  if (!first || !next || next.height === first.height) return sorted;
  progress.stop(to, next.height, 'more payments than one look proves');
  return sorted.filter(({ height }) => height < next.height);
}

function arrivalOf(
  { config }: Chain,
  { log, to, height, currency, parts }: Worth,
  receipt: RawReceipt | undefined,
  block: ProvingBlock | undefined,
): Arrival[] {
  if (!receipt || !block || receipt.blockHash !== log.blockHash) throw new Unreachable('The chain moved while it was read');
  // The block proves the height: by the log alone, a wrong height could make any payment final.
  if (count(block.number) !== height) throw new Unreachable('A log is not of the height of its block');
  if (receipt.status !== '0x1' && receipt.status !== '0x0') throw new Unreachable('A receipt says nothing of its success');
  const position = receipt.logs.findIndex((other) => sameLog(other, log));
  if (receipt.status === '0x0' || position < 0) {
    reportOdd(config.id, 'a log that its receipt lacks', { log });
    return [];
  }
  return [
    {
      // Position within the transaction: the log's index within the block changes if a reorg mines it elsewhere.
      key: `${config.chainId}:${log.transactionHash}:${position}`,
      currency,
      to,
      parts,
      txid: log.transactionHash,
      from: addressIn(log.topics[1] as string),
      height,
      hash: log.blockHash,
      minedAt: timeOf(count(block.timestamp) * 1000),
    },
  ];
}

/** Calls a method for many hashes. Returns the answers that exist, by hash. */
async function fetchEach<R>(
  chain: Chain,
  hashes: readonly string[],
  method: string,
  more: readonly unknown[],
): Promise<Map<string, R>> {
  const calls: RpcCall[] = hashes.map((hash) => ({ method, params: [hash, ...more] }));
  const results = await chain.client.batch(calls);
  return new Map(
    hashes.flatMap((hash, index) => {
      const result = results[index];
      return result === null || result instanceof Error ? [] : [[hash, result as R] as const];
    }),
  );
}

function sameLog(a: RawLog, b: RawLog): boolean {
  return (
    a.logIndex === b.logIndex && sameAddress(a.address, b.address) && a.data === b.data && a.topics.join() === b.topics.join()
  );
}
