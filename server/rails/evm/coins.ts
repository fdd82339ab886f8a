import type { Address } from 'viem';
import { getAddress } from 'viem/utils';
import { sameAddress } from './address.ts';
import { type Arrival, type Chain, type Head, Moved, coinCall } from './chain.ts';
import { expect, hex, quantity } from './client.ts';
import { type Block, blockReader } from './blocks.ts';

/**
 * Payments in the chain's own coin. They leave no logs, so a place's balance and nonce are the trigger: only where they
 * changed are blocks read, and of them only those between which they changed.
 *
 * - **Seen**: a transaction of its own whose receiver is the place, whoever sends it. Its key is
 *   `chainId:transaction:native`, the same wherever in a block it lies.
 * - **Not seen**: coin that a contract hands on (an internal transfer, as some exchanges and contract wallets pay), block
 *   rewards, what a contract leaves when it destroys itself. It lies at an address of ours, is credited to nobody, and a
 *   person must look it up and book it.
 * - **Not ours to see**: gas that our own hot wallet sends to a place.
 *
 * A place that nobody ever paid costs two calls. Where the node keeps old states the changed blocks are found by halving;
 * where it doesn't, blocks are read one by one, at most `scanBlocks` of the newest in one look: what is older than that,
 * and was paid while nobody looked, is not seen either. So a provider that keeps old states is worth its price.
 */
export interface CoinReader {
  /** What came to these places from their heights on, up to the head. Throws Moved where the chain moved meanwhile. */
  look(places: readonly CoinPlace[], head: Head): Promise<Map<string, CoinLook>>;
}

/** A place with the height from which on it is read, and its state before that, where it is known. */
export interface CoinPlace {
  readonly to: string;
  readonly below: number;
  readonly coin?: CoinState | undefined;
}

export interface CoinState {
  readonly balance: bigint;
  readonly nonce: bigint;
}

/** What came, and the place's state at the head's finalised block, where the node could tell it. */
export interface CoinLook {
  readonly arrivals: readonly Arrival[];
  readonly coin: CoinState | undefined;
}

/** A range of blocks in which a place changed, both ends included. */
interface Range {
  readonly low: number;
  readonly high: number;
}

const NEVER: CoinState = { balance: 0n, nonce: 0n };
/** Ranges of so many blocks are read rather than halved. */
const SHORT = 32;

/** The reader of one chain. It remembers the newest blocks. */
export function coinReader(chain: Chain): CoinReader {
  const blocks = blockReader(chain);
  return {
    look: async (places, head) => {
      const states = await statesAt(chain, places, { blockHash: head.hash });
      const looks = new Map<string, CoinLook>();
      const changed: { place: CoinPlace; now: CoinState }[] = [];
      for (const [at, place] of places.entries()) {
        const now = states[at];
        if (!now) throw new Moved();
        if (same(now, place.coin ?? NEVER)) looks.set(place.to, { arrivals: [], coin: now });
        else changed.push({ place, now });
      }
      if (changed.length === 0) return looks;
      const final =
        head.finalised < 0
          ? []
          : await statesAt(
              chain,
              changed.map(({ place }) => place),
              hex(head.finalised),
            );
      const wanted = new Map<number, string[]>();
      for (const [at, { place, now }] of changed.entries()) {
        for (const { low, high } of await changesOf(chain, place, now, final[at], head)) {
          for (let height = Math.max(low, high - chain.config.scanBlocks + 1); height <= high; height += 1) {
            wanted.set(height, [...(wanted.get(height) ?? []), place.to]);
          }
        }
      }
      const newest = [...wanted.keys()].toSorted((a, b) => b - a).slice(0, chain.config.scanBlocks);
      const found: Arrival[] = [];
      for await (const block of blocks.read(newest, head)) {
        for (const to of wanted.get(block.height) ?? []) found.push(...arrivalsIn(chain, block, to));
      }
      const arrivals = Map.groupBy(await proven(chain, found), ({ to }) => to);
      for (const [at, { place }] of changed.entries()) {
        looks.set(place.to, { arrivals: arrivals.get(place.to) ?? [], coin: final[at] });
      }
      return looks;
    },
  };
}

/** The ranges in which a place changed: below the finalised block by halving, above it as a whole. */
async function changesOf(
  chain: Chain,
  { to, below, coin }: CoinPlace,
  now: CoinState,
  final: CoinState | undefined,
  head: Head,
): Promise<Range[]> {
  const before = coin ?? (below === 0 ? NEVER : (await statesAt(chain, [{ to, below }], hex(below - 1)))[0]);
  const split = Math.max(below - 1, head.finalised);
  if (!final || split === below - 1) return before && same(before, now) ? [] : [{ low: below, high: head.height }];
  const newest = same(final, now) ? [] : [{ low: split + 1, high: head.height }];
  if (!before) return [{ low: below, high: split }, ...newest];
  return [...(await halved(chain, to, { low: below, high: split }, before, final)), ...newest];
}

/** The short ranges of a long one in which a place changed, by its state in the middle; the whole where no node has it. */
async function halved(chain: Chain, to: string, range: Range, before: CoinState, after: CoinState): Promise<Range[]> {
  const { low, high } = range;
  if (same(before, after)) return [];
  if (high - low < SHORT) return [range];
  const middle = (low + high) >> 1;
  const [state] = await statesAt(chain, [{ to, below: low }], hex(middle));
  if (!state) return [range];
  return [
    ...(await halved(chain, to, { low, high: middle }, before, state)),
    ...(await halved(chain, to, { low: middle + 1, high }, state, after)),
  ];
}

/** Balance and nonce of places after a block (EIP-1898 where it is named by its hash); undefined where the node has none. */
async function statesAt(
  chain: Chain,
  places: readonly CoinPlace[],
  block: string | { readonly blockHash: string },
): Promise<(CoinState | undefined)[]> {
  const found = await chain.client.batch(
    places.flatMap(({ to }) => [
      { ...coinCall(to as Address), params: [to, block] },
      { method: 'eth_getTransactionCount', params: [to, block] },
    ]),
  );
  return places.map((_, at) => {
    const [balance, nonce] = [found[2 * at], found[2 * at + 1]];
    if (balance instanceof Error || nonce instanceof Error) return undefined;
    return { balance: quantity(balance), nonce: quantity(nonce) };
  });
}

const same = (a: CoinState, b: CoinState): boolean => a.balance === b.balance && a.nonce === b.nonce;

function arrivalsIn({ config, hot }: Chain, block: Block, to: string): Arrival[] {
  const { coin, native, chainId } = config;
  return (block.coins.get(to.toLowerCase()) ?? []).flatMap(({ txid, from, value }) =>
    !coin || value < coin.dust || sameAddress(from, hot)
      ? []
      : {
          key: `${chainId}:${txid}:native`,
          currency: native,
          to,
          parts: value,
          txid,
          from: getAddress(from),
          height: block.height,
          hash: block.hash,
          minedAt: new Date(block.time * 1000),
        },
  );
}

/** Those that succeeded, by their receipts, which must be of the very block. */
async function proven(chain: Chain, arrivals: readonly Arrival[]): Promise<Arrival[]> {
  const calls = arrivals.map(({ txid }) => ({ method: 'eth_getTransactionReceipt', params: [txid] }));
  const receipts = await chain.client.batch(calls);
  return arrivals.filter(({ hash }, at) => {
    const receipt = expect<{ status: string; blockHash: string } | null>(receipts[at]);
    if (!receipt || receipt.blockHash !== hash) throw new Moved();
    return receipt.status === '0x1';
  });
}
