import { getAddress } from 'viem/utils';
import { sameAddress } from '../address.ts';
import { type Arrival, type Chain, type Head, Moved } from '../chain.ts';
import { type Block, type BlockReader, blockReader } from '../blocks.ts';
import { type Left, type Past, Pasts, type Reader } from '../reading.ts';
import { type CoinState, NEVER, type Range, halved, isSame, statesAt } from '../states.ts';

/**
 * Returns the reader of payments in the chain's own coin. They leave no logs, so an address's balance and nonce are the trigger.
 * Blocks are read only for addresses where these changed, and only between the heights of the change.
 *
 * - **Seen**: a transaction whose own receiver is the address, from any sender. Its key is `chainId:transaction:native`, the same at
 *   any position in a block.
 * - **Not seen**: block rewards, coin of a contract that destroys itself, and coin that a contract hands on. Some exchanges and
 *   contract wallets pay so, by internal transfers. `lies` shows such coin in the address's balance. It becomes a payment once people
 *   or traces name its transaction (`handedOn`).
 * - **Left out**: gas that our own hot wallet sends to an address.
 *
 * An address that was never paid costs two calls. Each poll reads the newest blocks. It also reads up to `scanBlocks` settled ones:
 * the lowest of each address first, in turns, so that no address delays the others. The next poll reads the rest, and an address's
 * state is remembered only up to the last block read. If the node stores old states, halving finds the changed blocks. Otherwise
 * all blocks are read one by one, so a provider with old states is worth its price.
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

/** `state`: the address's state just below `below`, if it is known. */
interface CoinPast extends Past {
  readonly state?: CoinState;
}
type Known = Past & { readonly to: string; readonly state?: CoinState };
type Changed = Known & { readonly now: CoinState };

/** One poll. `solid`: the height up to which blocks count as settled, finalised or at least `scanBlocks` below the head. */
interface Poll {
  readonly chain: Chain;
  readonly blocks: BlockReader;
  readonly head: Head;
  readonly solid: number;
  readonly isTime: () => boolean;
  /** Number of this poll: each poll begins with another address. */
  readonly turn: number;
}

/** Last settled height that a poll read for an address, the state there if known, and the reason if it stopped early. */
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

/** Returns payments above the settled blocks, to addresses that changed there or whose state at `solid` is unknown. */
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

/** Returns payments in settled ranges, from up to `scanBlocks` blocks. `unread`: the addresses that were read only in part. */
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

/** Returns up to `max` heights to read in many addresses' ranges: the lowest of each address, `PART` of each in turn. */
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

/** Number of heights that an address gets in its turn. */
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

/** Maximum number of payments to one address that one poll proves. */
const PROOFS = 200;

/**
 * Returns the payments that succeeded, by receipts of the same block. If a receipt is missing or contradicts, its address is read
 * only up to the block before. So is an address with more than `PROOFS` payments, up to the first one left out.
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
