import type { Address } from 'viem';
import { getAddress } from 'viem/utils';
import { readEach, sumOf, timeOf } from '../../odd.ts';
import type { HandedOn, Lies, Payin, ObservedPayment, ReceivingAddress } from '../../rail.ts';
import { sameAddress } from '../address.ts';
import { type Chain, coinCall } from '../chain.ts';
import { count, expect, hex, isHash, quantity } from '../client.ts';
import { observedPayment } from './observed-payments.ts';

/**
 * Coin that a contract hands on (an internal transfer). It is in no transaction's own value and leaves no log. Only a balance shows
 * it, and only a trace of the executed calls shows its transaction.
 */

/** Returns the key of all coin that one transaction handed on to an address. */
export const handedKey = ({ config }: Chain, txid: string, to: string): string =>
  `${config.chainId}:${txid}:handed:${to.toLowerCase()}`;

interface RawReceipt {
  readonly status: string;
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly from: string;
}

/**
 * Returns known coin handed on to addresses, as payments. Coin is left out if its transaction failed, or is in no block of this chain.
 * Throws `Unreachable` if the node gives no usable answer.
 */
export async function handedOnAt(chain: Chain, addresses: readonly ReceivingAddress[]): Promise<ObservedPayment[]> {
  const known = addresses.flatMap(({ to, handedOn = [] }) => handedOn.map((one) => ({ ...one, to })));
  const head = await chain.head();
  const receipts = await chain.client.batch(known.map(({ txid }) => ({ method: 'eth_getTransactionReceipt', params: [txid] })));
  const mined = readEach(chain.config.id, 'a receipt', [...known.entries()], ([at, one]) => {
    const receipt = expect<RawReceipt | null>(receipts[at]);
    return receipt?.status === '0x1' ? [{ ...one, receipt, height: count(receipt.blockNumber) }] : [];
  }).flat();
  const blocks = await chain.client.batch(
    mined.map(({ height }) => ({ method: 'eth_getBlockByNumber', params: [hex(height), false] })),
  );
  return readEach(chain.config.id, 'a block', [...mined.entries()], ([at, { to, txid, parts, receipt, height }]) => {
    const block = expect<{ hash: string; timestamp: string } | null>(blocks[at]);
    if (block?.hash !== receipt.blockHash) return [];
    const minedAt = timeOf(count(block.timestamp) * 1000);
    const key = handedKey(chain, txid, to);
    const arrival = { key, currency: chain.config.native, to, parts, txid, from: getAddress(receipt.from), height, minedAt };
    return [observedPayment({ ...arrival, hash: block.hash }, head)];
  }).flat();
}

/** Returns the coin at addresses after the finalised block; none if the node shows no such block. Throws `Unreachable`. */
export async function lies(chain: Chain, addresses: readonly string[]): Promise<Lies> {
  const { finalised: height } = await chain.head();
  const { native: currency, id } = chain.config;
  if (height < 0) return { currency, height: 0, parts: new Map() };
  const found = await chain.client.batch(addresses.map((to) => coinCall(to as Address, hex(height))));
  const parts = readEach(
    id,
    'what lies at a place',
    [...addresses.entries()],
    ([at, to]) => [to, quantity(expect(found[at]))] as const,
  );
  return { currency, height, parts: new Map(parts) };
}

/** Returns the search for coin handed on, by the configured kind of traces; absent if the node gives none. */
export function tracer(chain: Chain): Pick<Payin, 'traced'> {
  const { traces } = chain.config;
  return traces === ''
    ? {}
    : { traced: traces === 'debug' ? (to, blocks) => byDebug(chain, to, blocks) : (to, blocks) => byFilter(chain, to, blocks) };
}

type Blocks = Parameters<NonNullable<Payin['traced']>>[1];

/** Blocks per request for traces: those of one block have some megabytes. */
const TOGETHER = 4;

/** A call as geth's callTracer shows it, with the calls within it. */
interface Frame {
  readonly type: string;
  readonly to?: string;
  readonly value?: string;
  readonly error?: unknown;
  readonly calls?: readonly Frame[];
}

async function byDebug(chain: Chain, to: string, { from, to: last }: Blocks): Promise<HandedOn[]> {
  const found: HandedOn[] = [];
  for (let low = from; low <= last; low += TOGETHER) {
    const heights = Array.from({ length: Math.min(TOGETHER, last - low + 1) }, (_, at) => low + at);
    const answers = await chain.client.batch(
      heights.map((height) => ({ method: 'debug_traceBlockByNumber', params: [hex(height), { tracer: 'callTracer' }] })),
    );
    for (const answer of answers) {
      const traces = expect<readonly { readonly txHash: string; readonly result: Frame }[]>(answer);
      found.push(...readEach(chain.config.id, 'a trace', traces, ({ txHash, result }) => handedBy(txHash, to, result)));
    }
  }
  return found.filter(({ parts }) => parts > 0n);
}

/** Sums the coin that calls within a transaction handed on to an address. A failed call reverts all calls within it. */
function handedBy(txid: string, to: string, whole: Frame): HandedOn {
  if (!isHash(txid)) throw new Error('a trace of no transaction');
  const within = ({ error, calls = [] }: Frame): bigint =>
    error === undefined ? calls.reduce((sum, call) => sum + own(call) + within(call), 0n) : 0n;
  const own = ({ type, to: receiver = '', value = '0x0', error }: Frame): bigint =>
    error === undefined && (type === 'CALL' || type === 'SELFDESTRUCT') && sameAddress(receiver, to)
      ? sumOf(quantity(value))
      : 0n;
  return { txid, parts: within(whole) };
}

/** A part of a transaction's trace, as `trace_filter` and `trace_transaction` show it (openethereum.github.io, "trace"). */
interface Part {
  readonly type: string;
  readonly action: {
    readonly callType?: string;
    readonly to?: string;
    readonly value?: string;
    readonly refundAddress?: string;
    readonly balance?: string;
  };
  readonly error?: string;
  readonly traceAddress: readonly number[];
  readonly transactionHash: string;
}

async function byFilter(chain: Chain, to: string, { from, to: last }: Blocks): Promise<HandedOn[]> {
  const filter = { fromBlock: hex(from), toBlock: hex(last), toAddress: [to] };
  const hits = await chain.client.call<readonly Part[]>('trace_filter', filter);
  const txids = [
    ...new Set(hits.filter(({ traceAddress }) => traceAddress.length > 0).map(({ transactionHash }) => transactionHash)),
  ];
  const wholes = await chain.client.batch(txids.map((txid) => ({ method: 'trace_transaction', params: [txid] })));
  return readEach(chain.config.id, 'a trace', [...txids.entries()], ([at, txid]): HandedOn => {
    if (!isHash(txid)) throw new Error('a trace of no transaction');
    const parts = expect<readonly Part[]>(wholes[at]);
    const failed = parts.filter(({ error }) => error !== undefined).map(({ traceAddress }) => traceAddress);
    const isWithin = (address: readonly number[]) =>
      failed.some((other) => other.every((step, depth) => address[depth] === step));
    const own = parts.filter(({ traceAddress }) => traceAddress.length > 0 && !isWithin(traceAddress));
    return { txid, parts: own.reduce((sum, part) => sum + valueTo(part, to), 0n) };
  }).filter(({ parts }) => parts > 0n);
}

function valueTo({ type, action }: Part, address: string): bigint {
  if (type === 'suicide') return sameAddress(action.refundAddress ?? '', address) ? sumOf(quantity(action.balance)) : 0n;
  const isCall = type === 'call' && action.callType === 'call';
  return isCall && sameAddress(action.to ?? '', address) ? sumOf(quantity(action.value)) : 0n;
}
