import type { Esplora, Unspent } from './client.ts';
import { outpointOf } from './coins.ts';
import type { Place } from './keys.ts';
import { FINAL_DEPTH } from './observed-payments.ts';

/** Blocks after which what a place holds is kept and spent without a thought that a reorg may take it away. */
export const SAFE_DEPTH = 6;
/** Kept listings that one reading reads again, the oldest first: what changes unexpectedly shows within minutes. */
const AGAIN = 32;

/**
 * What our places hold, as Esplora lists it place by place. A place whose coins all lie deep changes only by a send of
 * ours or a further payment, so its listing is kept: a reading costs what has changed, and not what we have.
 */
export interface Listings {
  /** The tip's height; forgets what a reorg since the last reading may have changed. */
  tip(esplora: Esplora): Promise<number>;
  /** What each place lists. Read anew: what isn't kept, what holds a coin that is `taken`, and a few of the others. */
  read(esplora: Esplora, places: readonly Place[], tip: number, taken: ReadonlySet<string>): Promise<(readonly Unspent[])[]>;
  /** What places list this very moment. */
  readNow(esplora: Esplora, places: readonly Place[], tip: number): Promise<(readonly Unspent[])[]>;
  /** An empty place that will stay so, reorgs aside. */
  keepEmpty(place: Place): void;
}

export function openListings(): Listings {
  /** By address, the one read longest ago first. */
  const cached = new Map<string, readonly Unspent[]>();
  let seen: { readonly height: number; readonly hash: string } | undefined;
  let reorgs = 0;
  const fetch = async (esplora: Esplora, { address }: Place, tip: number): Promise<readonly Unspent[]> => {
    const before = reorgs;
    const listed = await esplora.unspent(address);
    cached.delete(address);
    if (before === reorgs && listed.length > 0 && depthOf(listed, tip) >= SAFE_DEPTH) cached.set(address, listed);
    return listed;
  };
  return {
    tip: async (esplora) => {
      const height = await esplora.tipHeight();
      const stands = seen && seen.height <= height && (await esplora.blockHash(seen.height)) === seen.hash;
      if (seen && !stands) {
        reorgs += 1;
        for (const [address, listed] of cached) if (depthOf(listed, height) < FINAL_DEPTH) cached.delete(address);
      }
      if (!stands || seen?.height !== height) seen = { height, hash: await esplora.blockHash(height) };
      return height;
    },
    read: (esplora, places, tip, taken) => {
      const named = new Set(places.map(({ address }) => address));
      for (const [address, listed] of cached) {
        if (!named.has(address) || listed.some((coin) => taken.has(outpointOf(coin)))) cached.delete(address);
      }
      const again = new Set(cached.keys().take(AGAIN));
      return allOf(
        places.map(async (place) => {
          const listed = again.has(place.address) ? undefined : cached.get(place.address);
          return listed ?? fetch(esplora, place, tip);
        }),
      );
    },
    readNow: (esplora, places, tip) => allOf(places.map((place) => fetch(esplora, place, tip))),
    keepEmpty: ({ address }) => void cached.set(address, []),
  };
}

/** Waits for every reading, also behind one that failed: what was read is kept, and no call is left under way. */
async function allOf<T>(readings: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(readings);
  return Promise.all(readings);
}

/** How deep the newest of a place's coins lies; nothing, when one waits or there is none. */
function depthOf(listed: readonly Unspent[], tip: number): number {
  if (listed.length === 0) return 0;
  return Math.min(...listed.map(({ status }) => (status.confirmed ? tip - status.block_height + 1 : 0)));
}
