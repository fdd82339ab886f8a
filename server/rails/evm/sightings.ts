import type { Address } from 'viem';
import type { Sighting, Standing, WatchedPlace } from '../rail.ts';
import { addressIn, sameAddress, topicOf } from './address.ts';
import { type Arrival, type Chain, type Head, Moved, toParts } from './chain.ts';
import { type RpcCall, Unreachable, count, expect, hex, quantity } from './client.ts';
import { type CoinReader, type CoinState, coinReader } from './coins.ts';
import { TRANSFER_TOPIC } from './transaction.ts';

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

interface RawReceipt {
  readonly status: string;
  readonly blockHash: string;
  readonly logs: readonly RawLog[];
}

/** What is known of a place below a finalised height: nothing there can change. */
interface Settled {
  readonly below: number;
  readonly arrivals: readonly Arrival[];
  /** Of the chain's own coin: the place's state before that height, where it is known. */
  readonly coin?: CoinState | undefined;
}

/** Places whose settled past is remembered; the oldest are forgotten and read again. */
const REMEMBERED = 50_000;

/**
 * Reads payments to places: tokens by their logs, the chain's own coin, where it is a currency, as `CoinReader` says. Only
 * mined transfers exist here (money.md A5). It remembers, in this process, what lies in finalised blocks, so that a
 * long-watched place costs one look at the newest blocks.
 */
export function sightingsReader(chain: Chain): (places: readonly WatchedPlace[]) => Promise<Sighting[]> {
  const settled = new Map<string, Settled>();
  const coins = chain.config.coin && coinReader(chain);
  return async (places) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await observe(chain, places, settled, coins);
      } catch (error) {
        if (!(error instanceof Moved)) throw error;
        if (attempt === 3) throw new Unreachable('The chain moved while it was read', error);
      }
    }
  };
}

async function observe(
  chain: Chain,
  places: readonly WatchedPlace[],
  settled: Map<string, Settled>,
  coins: CoinReader | undefined,
): Promise<Sighting[]> {
  const head = await chain.head();
  const known = pastOf(places, settled).toSorted((a, b) => a.below - b.below);
  const sightings: Sighting[] = [];
  for (let at = 0; at < known.length; at += chain.config.logAddresses) {
    const chunk = known.slice(at, at + chain.config.logAddresses);
    const logs = await transfersTo(
      chain,
      chunk.map(({ to }) => to as Address),
      chunk[0]?.below ?? 0,
      head,
    );
    const fresh = Map.groupBy(await prove(chain, logs), (arrival) => arrival.to);
    const coin = await coins?.look(chunk, head);
    for (const { to, below, arrivals } of chunk) {
      const came = [...(fresh.get(to) ?? []), ...(coin?.get(to)?.arrivals ?? [])];
      const all = [...arrivals, ...came.filter((arrival) => arrival.height >= below)];
      sightings.push(...all.map((arrival) => sighting(arrival, head)));
      const past = all.filter((arrival) => arrival.height <= head.finalised);
      remember(settled, to, {
        below: Math.max(below, head.finalised + 1),
        arrivals: past,
        // Known at the finalised block only; a place that is read from above it is asked anew.
        coin: below > head.finalised + 1 ? undefined : coin?.get(to)?.coin,
      });
    }
  }
  return sightings;
}

/** Each address once, with where to read on from. */
function pastOf(places: readonly WatchedPlace[], settled: ReadonlyMap<string, Settled>): (Settled & { readonly to: string })[] {
  const since = new Map<string, number>();
  for (const { to, sinceHeight } of places) since.set(to, Math.min(since.get(to) ?? sinceHeight, sinceHeight));
  return [...since].map(([to, below]) => ({ to, ...(settled.get(to) ?? { below, arrivals: [] }) }));
}

function remember(settled: Map<string, Settled>, address: string, past: Settled): void {
  settled.delete(address);
  settled.set(address, past);
  if (settled.size > REMEMBERED) settled.delete(settled.keys().next().value as string);
}

/**
 * Transfers to these addresses of every allow-listed contract, from a height to the head. Each look at logs travels
 * with a look at the head's block, so that a node that lacks the newest blocks can't silently answer with less.
 */
async function transfersTo(chain: Chain, addresses: readonly Address[], from: number, head: Head): Promise<RawLog[]> {
  const { client, config } = chain;
  const contracts = config.tokens.map((token) => token.contract);
  const topics = [TRANSFER_TOPIC, null, addresses.map(topicOf)];
  const logs: RawLog[] = [];
  for (let low = from; low <= head.height; low += config.logBlocks) {
    const high = Math.min(low + config.logBlocks - 1, head.height);
    const [found, block] = await client.batch([
      { method: 'eth_getLogs', params: [{ address: contracts, topics, fromBlock: hex(low), toBlock: hex(high) }] },
      { method: 'eth_getBlockByNumber', params: [hex(head.height), false] },
    ]);
    if (expect<{ hash: string } | null>(block)?.hash !== head.hash) throw new Moved();
    logs.push(...expect<RawLog[]>(found));
  }
  return logs.filter((log) => !log.removed);
}

/** Turns logs into arrivals: the receipt must be of that block, successful, and contain this very log. */
async function prove(chain: Chain, logs: readonly RawLog[]): Promise<Arrival[]> {
  const worth = logs.flatMap((log) => {
    const token = chain.config.tokens.find((candidate) => sameAddress(candidate.contract, log.address));
    if (!token || log.topics.length !== 3 || log.topics[0] !== TRANSFER_TOPIC) return [];
    const parts = toParts(token, quantity(log.data));
    return parts >= token.dust && parts > 0n ? [{ log, token, parts }] : [];
  });
  if (worth.length === 0) return [];
  const receipts = await ask<RawReceipt>(
    chain,
    [...new Set(worth.map(({ log }) => log.transactionHash))],
    'eth_getTransactionReceipt',
    [],
  );
  const blocks = await ask<{ timestamp: string }>(
    chain,
    [...new Set(worth.map(({ log }) => log.blockHash))],
    'eth_getBlockByHash',
    [false],
  );
  return worth.flatMap(({ log, token, parts }) => {
    const receipt = receipts.get(log.transactionHash);
    const block = blocks.get(log.blockHash);
    if (!receipt || !block || receipt.blockHash !== log.blockHash) throw new Moved();
    const position = receipt.logs.findIndex((other) => sameLog(other, log));
    if (receipt.status !== '0x1' || position < 0) return [];
    return [
      {
        // Counted within the transaction: the index within the block changes when a reorg mines it elsewhere.
        key: `${chain.config.chainId}:${log.transactionHash}:${position}`,
        currency: token.code,
        to: addressIn(log.topics[2] as string),
        parts,
        txid: log.transactionHash,
        from: addressIn(log.topics[1] as string),
        height: count(log.blockNumber),
        hash: log.blockHash,
        minedAt: new Date(count(block.timestamp) * 1000),
      },
    ];
  });
}

/** One method asked for many hashes: the answers that are there, by hash. */
async function ask<R>(
  chain: Chain,
  hashes: readonly string[],
  method: string,
  more: readonly unknown[],
): Promise<Map<string, R>> {
  const calls: RpcCall[] = hashes.map((hash) => ({ method, params: [hash, ...more] }));
  const results = await chain.client.batch(calls);
  return new Map(
    hashes.flatMap((hash, index) => {
      const result = expect<R | null>(results[index]);
      return result === null ? [] : [[hash, result] as const];
    }),
  );
}

function sameLog(a: RawLog, b: RawLog): boolean {
  return (
    a.logIndex === b.logIndex && sameAddress(a.address, b.address) && a.data === b.data && a.topics.join() === b.topics.join()
  );
}

function sighting(arrival: Arrival, head: Head): Sighting {
  const standing: Standing = {
    at: 'block',
    height: arrival.height,
    hash: arrival.hash,
    minedAt: arrival.minedAt,
    confirmations: head.height - arrival.height + 1,
    finalised: arrival.height <= head.finalised,
  };
  const { key, currency, to, parts, txid, from } = arrival;
  return { key, currency, to, parts, txid, from: [from], standing };
}
