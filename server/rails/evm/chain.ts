import type { Address } from 'viem';
import { rescale, scaleOf } from '@kurs/money';
import { readEach } from '../odd.ts';
import type { PublicKeys } from '../signer.ts';
import { depositAddresses, requireContracts } from './address.ts';
import { type RpcClient, Unreachable, count, expect, quantity, rpcClient } from './client.ts';
import type { EvmConfig, EvmToken } from './config.ts';

/** A payment to our address in a block, proved by its receipt. Only a reorg changes it. */
export interface Arrival {
  readonly key: string;
  readonly currency: string;
  readonly to: string;
  readonly parts: bigint;
  readonly txid: string;
  readonly from: string;
  readonly height: number;
  readonly hash: string;
  readonly minedAt: Date;
}

/** The chain changed between two calls, so their answers don't belong together. */
export class Moved extends Error {}

/** The node is of another chain. A retry doesn't help. */
export class WrongNode extends Unreachable {}

/** The newest block that the node shows, and the newest finalised height (−1 if the node shows none). */
export interface Head {
  readonly height: number;
  readonly hash: string;
  /** Seconds since 1970. */
  readonly time: number;
  /** Wei per gas; undefined if the node gives no usable price: polls don't need one, sends wait. */
  readonly baseFee: bigint | undefined;
  readonly finalised: number;
}

/** Shared state of the parts of this rail: the node, our addresses, and the newest head that was seen. */
export interface Chain {
  readonly config: EvmConfig;
  readonly client: RpcClient;
  readonly hot: Address;
  readonly deposit: (index: number) => Address;
  /** Returns the current head. Throws `Unreachable` if the node is of another chain, or behind a head that was seen before. */
  head(): Promise<Head>;
}

interface RawBlock {
  readonly number: string;
  readonly hash: string;
  readonly timestamp: string;
  readonly baseFeePerGas?: string;
}

/**
 * Largest number of blocks by which the node's newest block may be above its `eth_blockNumber`: one of the two may come from a
 * cache. A higher block is a mistake. If it were trusted, every payment would be final, and every address would count as read up
 * to there.
 */
const MAX_NEWER = 16;

/** Opens a chain, without any call yet. Throws an Error if a token's contract is mistyped. */
export function openChain(config: EvmConfig, keys: PublicKeys['evm']): Chain {
  requireContracts(config.tokens);
  const client = rpcClient(config.rpc, config.timeoutMs);
  let newest: Head | undefined;
  const head = async (): Promise<Head> => {
    // Concurrent calls may be answered out of order: an answer is compared only with the head that was known before its call.
    const known = newest;
    const [chainId, latest, finalised, number] = await client.batch([
      { method: 'eth_chainId', params: [] },
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      { method: 'eth_getBlockByNumber', params: ['finalized', false] },
      { method: 'eth_blockNumber', params: [] },
    ]);
    if (count(expect(chainId)) !== config.chainId)
      throw new WrongNode(`The node is of chain ${count(chainId)}, not ${config.chainId}`);
    const found = readHead(config.id, expect<RawBlock | null>(latest), finalised);
    if (typeof number === 'string' && found.height > count(number) + MAX_NEWER)
      throw new Unreachable(`The node shows block ${found.height}, and counts ${count(number)}`);
    if (known && isBehind(found, known))
      throw new Unreachable(`The node is behind: block ${found.height}, it was ${known.height}`);
    if (newest === known || !newest || isNewer(found, newest)) newest = found;
    return found;
  };
  return { config, client, hot: keys.hot as Address, deposit: depositAddresses(keys.xpub, config.firstChild), head };
}

/**
 * True for a lower block with no later timestamp: an answer from the past, such as by one of several nodes behind a load balancer.
 * A reorg to a lower height has a later timestamp, at the latest with its next block.
 */
function isBehind(found: Head, newest: Head): boolean {
  return found.height < newest.height && found.time <= newest.time;
}

/** True if a head is newer than another. Blocks of a chain that mines at once may share a timestamp: then the height decides. */
function isNewer(found: Head, newest: Head): boolean {
  return found.time > newest.time || (found.time === newest.time && found.height > newest.height);
}

function readHead(rail: string, latest: RawBlock | null, finalised: unknown): Head {
  if (!latest) throw new Unreachable('The node has no newest block');
  const height = count(latest.number);
  if (typeof latest.hash !== 'string') throw new Unreachable('The node has a newest block without a hash');
  const final = finalised as RawBlock | Error | null;
  return {
    height,
    hash: latest.hash,
    time: count(latest.timestamp),
    baseFee: latest.baseFeePerGas === undefined ? 0n : readOr(rail, 'baseFeePerGas', latest.baseFeePerGas, undefined, quantity),
    finalised:
      final === null || final instanceof Error
        ? -1
        : readOr(rail, 'the finalised block', final.number, -1, (number) => upTo(number, height)),
  };
}

/** Reads a value. Returns `otherwise` for an impossible one, with a warning. */
function readOr<A, B>(rail: string, field: string, value: unknown, otherwise: B, read: (value: unknown) => A): A | B {
  const [found = otherwise] = readEach(rail, field, [value], read);
  return found;
}

/** Reads a height. Throws `Unreachable` if it is above `height`: nothing is final above the newest block. */
function upTo(number: unknown, height: number): number {
  const found = count(number);
  if (found > height) throw new Unreachable(`block ${found} is above ${height}`);
  return found;
}

/** Returns the base fee of a head, in wei per gas. Throws `Unreachable` if the node gave no usable one. */
export function baseFeeOf({ baseFee }: Pick<Head, 'baseFee'>): bigint {
  if (baseFee === undefined) throw new Unreachable('The node says no price of gas that can be');
  return baseFee;
}

/** Returns the tip that the node suggests for the next blocks, in wei per gas. Throws `RpcError` or `Unreachable`. */
export async function suggestedTip(client: RpcClient): Promise<bigint> {
  return quantity(await client.call('eth_maxPriorityFeePerGas'));
}

/** True if a currency is the chain's own coin. Throws an Error for a currency that this chain doesn't carry. */
export function isCoin(config: EvmConfig, currency: string): boolean {
  if (config.coin && currency === config.native) return true;
  tokenOf(config, currency);
  return false;
}

/** Returns a currency's token. Throws an Error for a currency that is no token of this chain. */
export function tokenOf(config: EvmConfig, currency: string): EvmToken {
  const token = config.tokens.find((candidate) => candidate.code === currency);
  if (!token) throw new Error(`${config.id} carries no ${currency}`);
  return token;
}

/** Converts minor units into the contract's integer. It is exact: a contract never has fewer decimals than its unit. */
export function toChain(token: EvmToken, parts: bigint): bigint {
  return rescale(parts, scaleOf(token.unit), token.decimals, 'down');
}

/** Converts the contract's integer into minor units, rounded down. */
export function toParts(token: EvmToken, value: bigint): bigint {
  return rescale(value, token.decimals, scaleOf(token.unit), 'down');
}

/** Returns the call for an account's balance of a token at a block (default: the newest). */
export function balanceCall(contract: Address, account: Address, block = 'latest'): { method: string; params: unknown[] } {
  return {
    method: 'eth_call',
    params: [{ to: contract, data: `0x70a08231${account.slice(2).toLowerCase().padStart(64, '0')}` }, block],
  };
}

/** Returns the call for an account's balance of the chain's own coin at a block (default: the newest). */
export function coinCall(account: Address, block = 'latest'): { method: string; params: unknown[] } {
  return { method: 'eth_getBalance', params: [account, block] };
}
