import type { Address } from 'viem';
import { rescale, scaleOf } from '@kurs/money';
import { readEach } from '../odd.ts';
import type { PublicKeys } from '../signer.ts';
import { depositAddresses, requireContracts } from './address.ts';
import { type RpcClient, Unreachable, count, expect, quantity, rpcClient } from './client.ts';
import type { EvmConfig, EvmToken } from './config.ts';

/** A payment to an address of ours in a block, proved by its receipt. It changes only by a reorg. */
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

/** The chain moved between two calls: what was read doesn't belong together. */
export class Moved extends Error {}

/** The node answers, and is none of ours: of another chain. No second try helps. */
export class WrongNode extends Unreachable {}

/** The newest block as the node shows it, and the newest finalised height (−1 where the chain says none). */
export interface Head {
  readonly height: number;
  readonly hash: string;
  /** Seconds since 1970. */
  readonly time: number;
  /** Wei per gas; undefined where the node gives no usable price: looks don't need one, sends wait. */
  readonly baseFee: bigint | undefined;
  readonly finalised: number;
}

/** What the parts of this rail share: the node, our addresses, and the newest head that was seen. */
export interface Chain {
  readonly config: EvmConfig;
  readonly client: RpcClient;
  readonly hot: Address;
  readonly deposit: (index: number) => Address;
  /** The head now. Throws Unreachable when the node is of another chain, or has fallen behind what was seen before. */
  head(): Promise<Head>;
}

interface RawBlock {
  readonly number: string;
  readonly hash: string;
  readonly timestamp: string;
  readonly baseFeePerGas?: string;
}

/**
 * Blocks that may lie between a node's newest block and the number that it counts to: one of the two may come from a cache.
 * Beyond that the height is a mistake, and believed it would make every payment final and every address read to there.
 */
const MAX_NEWER = 16;

/** Opens a chain; asks nothing yet. */
export function openChain(config: EvmConfig, keys: PublicKeys['evm']): Chain {
  requireContracts(config.tokens);
  const client = rpcClient(config.rpc, config.timeoutMs);
  let newest: Head | undefined;
  const head = async (): Promise<Head> => {
    // Of two calls under way the slower one may bring the older answer: only what was known before it was asked counts.
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
 * A lower block that isn't newer is an answer from the past (a node behind a load balancer). A reorg to a lower block
 * shows itself by a later time stamp at the latest with its next block.
 */
function isBehind(found: Head, newest: Head): boolean {
  return found.height < newest.height && found.time <= newest.time;
}

/** Blocks of a chain that mines at once may have one time stamp. */
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

/** What a value says, or what is put in its place where it can't be, which is told. */
function readOr<A, B>(rail: string, field: string, value: unknown, otherwise: B, read: (value: unknown) => A): A | B {
  const [found = otherwise] = readEach(rail, field, [value], read);
  return found;
}

/** A height no higher than another. Nothing is final above the newest block. */
function upTo(number: unknown, height: number): number {
  const found = count(number);
  if (found > height) throw new Unreachable(`block ${found} is above ${height}`);
  return found;
}

/** What the next block's gas costs at least, in wei. Throws Unreachable where nobody says. */
export function baseFeeOf({ baseFee }: Pick<Head, 'baseFee'>): bigint {
  if (baseFee === undefined) throw new Unreachable('The node says no price of gas that can be');
  return baseFee;
}

/** The tip that gets a transaction into the next blocks, as the node suggests it. */
export async function suggestedTip(client: RpcClient): Promise<bigint> {
  return quantity(await client.call('eth_maxPriorityFeePerGas'));
}

/** Whether a currency is the chain's own coin. Throws for a code that this chain doesn't carry. */
export function isCoin(config: EvmConfig, currency: string): boolean {
  if (config.coin && currency === config.native) return true;
  tokenOf(config, currency);
  return false;
}

/** A currency's token. Throws for a code that is none of this chain's tokens. */
export function tokenOf(config: EvmConfig, currency: string): EvmToken {
  const token = config.tokens.find((candidate) => candidate.code === currency);
  if (!token) throw new Error(`${config.id} carries no ${currency}`);
  return token;
}

/** Unit parts as the contract counts them: exact, since a contract never has fewer decimals than its unit. */
export function toChain(token: EvmToken, parts: bigint): bigint {
  return rescale(parts, scaleOf(token.unit), token.decimals, 'down');
}

/** What the contract counts as unit parts, rounded down. */
export function toParts(token: EvmToken, value: bigint): bigint {
  return rescale(value, token.decimals, scaleOf(token.unit), 'down');
}

/** The call that asks a token for an account's balance at a block (default: the newest). */
export function balanceCall(contract: Address, account: Address, block = 'latest'): { method: string; params: unknown[] } {
  return {
    method: 'eth_call',
    params: [{ to: contract, data: `0x70a08231${account.slice(2).toLowerCase().padStart(64, '0')}` }, block],
  };
}

/** The call that asks for an account's balance of the chain's own coin. */
export function coinCall(account: Address, block = 'latest'): { method: string; params: unknown[] } {
  return { method: 'eth_getBalance', params: [account, block] };
}
