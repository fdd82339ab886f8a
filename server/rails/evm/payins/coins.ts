import { getAddress } from 'viem/utils';
import { sameAddress } from '../address.ts';
import { type Arrival, type Chain, type Head, Moved } from '../chain.ts';
import { type Block, type BlockReader, blockReader } from '../blocks.ts';
import { type Left, type Past, Pasts, type Reader } from '../reading.ts';
import { type CoinState, NEVER, type Range, halved, isSame, statesAt } from '../states.ts';

/**
 * Payments in the chain's own coin. They leave no logs, so an address's balance and nonce are the trigger: only where they
 * changed are blocks read, and of them only those between which they changed.
 *
 * - **Seen**: a transaction of its own whose receiver is the address, from any sender. Its key is
 *   `chainId:transaction:native`, the same wherever in a block it lies.
 * - **Not seen**: coin that a contract hands on (an internal transfer, as some exchanges and contract wallets pay), block
 *   rewards, what a contract leaves when it destroys itself. It lies at an address of ours: that is noticed (`lies`), and shown
 *   once people or traces say which transaction it was (`handedOn`).
 * - **Not ours to see**: gas that our own hot wallet sends to an address.
 *
 * An address that nobody ever paid costs two calls. The newest blocks are read in each look. Of the settled ones one look
 * reads `scanBlocks`, the lowest of each address first and no address before all others; what is left over is read by the
 * next look, and an address's state is remembered only as far as its blocks were read. Where the node keeps old states the
 * changed blocks are found by halving; where it doesn't all blocks are read one by one, so that a provider that keeps them
 * is worth its price.
 */
export function coinReader(chain: Chain): Reader {
  const blocks = blockReader(chain);
  const pasts = new Pasts<CoinPast>();
  let turn = 0;
  return {
    poll: async (addresses, head, isTime) => {
      const known = addresses.map((address): Known => pasts.of(address));
      const now = await statesAt(
        chain,
        known.map(({ to }) => ({ to, block: { blockHash: head.hash } })),
      );
      if (now.length > 0 && now.every((state) => state === undefined)) throw new Moved();
      turn += 1;
      const poll: Poll = {
        chain,
        blocks,
        head,
        isTime,
        turn,
        solid: Math.max(head.finalised, head.height - chain.config.scanBlocks),
      };
      const changed = known.flatMap((address, at): Changed[] => {
        const state = now[at];
        return state && !isSame(state, address.state ?? NEVER) ? [{ ...address, now: state }] : [];
      });
      const read = await readChanged(poll, changed);
      return new Map(
        known.map((address, at) => {
          const found = read.get(address.to);
          const reached =
            found ?? (now[at] ? { until: poll.solid, state: now[at] } : { until: address.below - 1, why: 'no balance' });
          const below = Math.max(address.below, reached.until + 1);
          const arrivals = [...address.arrivals, ...(found?.arrivals ?? []).filter(({ height }) => height >= address.below)];
          const there = below === reached.until + 1 ? reached.state : undefined;
          const state = there ?? (below === address.below ? address.state : undefined);
          pasts.remember(address.to, {
            below,
            arrivals: arrivals.filter(({ height }) => height < below),
            ...(state && { state }),
          });
          const left: Left | undefined = reached.why === undefined ? undefined : { from: below, why: reached.why };
          return [address.to, { arrivals, left }];
        }),
      );
    },
  };
}

/** `state`: the address's just below the height to read on from, where it is known. */
interface CoinPast extends Past {
  readonly state?: CoinState;
}
type Known = Past & { readonly to: string; readonly state?: CoinState };
type Changed = Known & { readonly now: CoinState };

/** One look: `solid`, the height up to which nothing changes any more, or what is as good as that. */
interface Poll {
  readonly chain: Chain;
  readonly blocks: BlockReader;
  readonly head: Head;
  readonly solid: number;
  readonly isTime: () => boolean;
  /** Counts the looks: each begins with another address. */
  readonly turn: number;
}

/** What a look read of an address: up to which settled height, its state there where it is known, and why no further. */
interface Reached {
  readonly until: number;
  readonly state?: CoinState | undefined;
  readonly why?: string;
}

async function readChanged(poll: Poll, changed: readonly Changed[]): Promise<Map<string, Reached & { arrivals: Arrival[] }>> {
  if (changed.length === 0) return new Map();
  const { chain, solid, isTime } = poll;
  const old = changed.filter(({ below }) => below <= solid);
  const ends = await statesAt(chain, [
    ...changed.map(({ to }) => ({ to, block: Math.max(0, solid) })),
    ...old.map(({ to, below }) => ({ to, block: Math.max(0, below - 1) })),
  ]);
  const after = new Map(changed.map(({ to }, at) => [to, solid < 0 ? undefined : ends[at]]));
  const before = new Map(old.map(({ to, state, below }, at) => [to, state ?? (below === 0 ? NEVER : ends[changed.length + at])]));
  const ranges = await halved(
    chain,
    old.map(({ to, below }) => ({ to, low: below, high: solid, before: before.get(to), after: after.get(to) })),
    isTime,
  );
  const [fresh, settled] = [await readNewest(poll, changed, after), await readSettled(poll, ranges)];
  const proved = await proven(chain, [...fresh, ...settled.arrivals]);
  const found = Map.groupBy(proved.arrivals, ({ to }) => to);
  return new Map(
    changed.map(({ to }) => {
      const unread = lower(settled.unread.get(to), proved.unread.get(to));
      const reached: Reached = unread ?? { until: solid, state: after.get(to) };
      return [to, { ...reached, arrivals: found.get(to) ?? [] }];
    }),
  );
}

const lower = (a: Reached | undefined, b: Reached | undefined): Reached | undefined =>
  a && b ? (a.until < b.until ? a : b) : (a ?? b);

/** What came above what is settled, to those that changed there or of which nobody can say. */
async function readNewest(
  { chain, blocks, head, solid }: Poll,
  changed: readonly Changed[],
  after: ReadonlyMap<string, CoinState | undefined>,
): Promise<Arrival[]> {
  const open = changed.filter(({ to, now }) => {
    const state = after.get(to);
    return !state || !isSame(state, now);
  });
  if (open.length === 0) return [];
  const low = Math.max(solid + 1, Math.min(...open.map(({ below }) => below)));
  const found: Arrival[] = [];
  for await (const block of blocks.newest(low, head)) for (const { to } of open) found.push(...arrivalsIn(chain, block, to));
  return found;
}

/** What came in settled ranges, as many blocks as one look reads; of addresses not read to the end how far. */
async function readSettled(
  { chain, blocks, isTime, turn }: Poll,
  ranges: readonly Range[],
): Promise<{ readonly arrivals: Arrival[]; readonly unread: Map<string, Reached> }> {
  const byPlace = Map.groupBy(ranges, ({ to }) => to);
  const begin = turn % Math.max(1, byPlace.size);
  const inTurn = [...byPlace.values()].flatMap((_, at, all) => [all[(begin + at) % all.length] ?? []]);
  const heights = shared(inTurn, chain.config.scanBlocks);
  const read = new Map<number, Block>();
  for await (const block of blocks.settled(heights, isTime)) read.set(block.height, block);
  const arrivals: Arrival[] = [];
  const unread = new Map<string, Reached>();
  for (const [to, own] of byPlace) {
    for (const { low, high, before } of own) {
      let at = low;
      for (; at <= high && read.has(at); at += 1) arrivals.push(...arrivalsIn(chain, read.get(at) as Block, to));
      if (at > high) continue;
      unread.set(to, { until: at - 1, ...(at === low && before && { state: before }), why: 'more blocks than one look reads' });
      break;
    }
  }
  return { arrivals, unread };
}

/** Heights of many addresses' ranges, at most so many: the lowest of each address, a part of each in turn. */
function shared(addresses: readonly (readonly Range[])[], max: number): number[] {
  const heights = new Set<number>();
  let open = addresses.map(heightsOf);
  while (open.length > 0 && heights.size < max) {
    open = open.filter((next) => {
      for (let taken = 0; taken < PART && heights.size < max; taken += 1) {
        const { value, done } = next.next();
        if (done) return false;
        heights.add(value);
      }
      return true;
    });
  }
  return [...heights];
}

/** Heights that an address is given at a time. */
const PART = 8;

function* heightsOf(ranges: readonly Range[]): Generator<number, undefined> {
  for (const { low, high } of ranges) for (let at = low; at <= high; at += 1) yield at;
}

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
          minedAt: block.time,
        },
  );
}

/** Payments to one address that one look proves. */
const PROOFS = 200;

/**
 * Those that succeeded, by their receipts, which must be of the very block. An address whose receipt is missing or
 * contradicts is read up to the block before, and so is one with more than one look proves.
 */
async function proven(
  chain: Chain,
  all: readonly Arrival[],
): Promise<{ readonly arrivals: Arrival[]; readonly unread: Map<string, Reached> }> {
  const unread = new Map<string, Reached>();
  const stop = ({ to, height }: Arrival, why: string): void => {
    unread.set(to, lower(unread.get(to), { until: height - 1, why }) as Reached);
  };
  const requests = [...Map.groupBy(all, ({ to }) => to).values()].flatMap((own) => {
    const sorted = own.toSorted((a, b) => a.height - b.height);
    const [first, next] = [sorted[0], sorted[PROOFS]];
    if (!first || !next || next.height === first.height) return sorted;
    stop(next, 'more payments than one look proves');
    return sorted.filter(({ height }) => height < next.height);
  });
  const receipts = await chain.client.batch(
    requests.map(({ txid }) => ({ method: 'eth_getTransactionReceipt', params: [txid] })),
  );
  const arrivals = requests.filter((arrival, at) => {
    const receipt = receipts[at] as { status?: unknown; blockHash?: unknown } | Error | null;
    if (receipt === null || receipt instanceof Error || receipt.blockHash !== arrival.hash) {
      stop(arrival, 'its receipt is not of its block');
      return false;
    }
    if (receipt.status !== '0x1' && receipt.status !== '0x0') stop(arrival, 'a receipt says nothing of its success');
    return receipt.status === '0x1';
  });
  return { arrivals, unread };
}
