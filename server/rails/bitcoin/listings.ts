import type { Esplora, Unspent } from './client.ts';
import { outpointOf } from './coins.ts';
import type { Place } from './keys.ts';
import { FINAL_DEPTH } from './observed-payments.ts';

/** Depth in blocks from which coins count as safe from reorgs: they are spent first, and their listing is cached. */
export const SAFE_DEPTH = 6;
/** Number of cached listings that each reading reads again, the oldest first: unexpected changes show within minutes. */
const AGAIN = 32;

/**
 * Coins at our places, as Esplora lists them place by place. A place whose coins are all deep changes only by a send of ours or
 * another payment, so its listing is cached. The cost of a reading depends on the changes, and not on the number of places.
 */
export interface Listings {
  /** Returns the tip's height. Discards cached listings that a reorg since the last reading may have changed. */
  tip(esplora: Esplora): Promise<number>;
  /** Returns the listing of each place. Reads again those that aren't cached or hold a coin in `taken`, and a few others. */
  read(esplora: Esplora, places: readonly Place[], tip: number, taken: ReadonlySet<string>): Promise<(readonly Unspent[])[]>;
  /** Returns the listing of each place, always read from the server. */
  readNow(esplora: Esplora, places: readonly Place[], tip: number): Promise<(readonly Unspent[])[]>;
  /** Caches a place as empty: only a reorg could change it. */
  keepEmpty(place: Place): void;
}

/** Opens an empty cache of listings. */
export function openListings(): Listings {
  /** Listings by address, the one read longest ago first. */
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

/** Waits for every reading, even after one failed, so that the others are cached and no call stays under way. */
async function allOf<T>(readings: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(readings);
  return Promise.all(readings);
}

/** Returns the depth of a place's newest coin in blocks; 0 if a coin waits or there is none. */
function depthOf(listed: readonly Unspent[], tip: number): number {
  if (listed.length === 0) return 0;
  return Math.min(...listed.map(({ status }) => (status.confirmed ? tip - status.block_height + 1 : 0)));
}
