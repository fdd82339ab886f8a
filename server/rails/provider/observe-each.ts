import { monotonicMs } from '../../platform/index.ts';
import { tellOdd } from '../odd.ts';
import type { Payin, ObservedPayment, WatchedPlace } from '../rail.ts';

/** After so long a look begins with no more places: the caller waits for all of it. */
const LOOK_MS = 9_000;

/**
 * Looks at places a few at a time, each by itself: one that fails, whatever it is, is told as unread and holds up one of those
 * few at most. Fails as a whole where none could be read, or where nobody listens for those that couldn't.
 */
export function observeEach(
  atOnce: number,
  look: (place: WatchedPlace) => Promise<readonly ObservedPayment[]>,
): Payin['observe'] {
  return async (places, unread) => {
    const begun = monotonicMs();
    const seen: (readonly ObservedPayment[])[] = [];
    const failed = new Map<WatchedPlace, unknown>();
    const waiting = places.entries();
    const worker = async (): Promise<void> => {
      for (const [at, place] of waiting) {
        try {
          if (monotonicMs() > begun + LOOK_MS) throw new Error('there was no time for it');
          seen[at] = (await look(place)).map(withoutOddFee);
        } catch (error) {
          failed.set(place, error);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, places.length) }, worker));
    for (const [{ to }, error] of failed) {
      if (!unread || failed.size === places.length) throw error;
      unread({ to, detail: error instanceof Error ? error.message : String(error) });
    }
    return seen.flat();
  };
}

/** A fee above the payment itself is left out and logged; the payment counts without it. */
function withoutOddFee(observedPayment: ObservedPayment): ObservedPayment {
  const { fee, ...rest } = observedPayment;
  if (fee === undefined || (fee >= 0n && fee <= observedPayment.parts)) return observedPayment;
  tellOdd(observedPayment.currency, 'what is kept of a payment', {
    txid: observedPayment.txid,
    parts: observedPayment.parts,
    fee,
  });
  return rest;
}
