import { monotonicMs } from '../../platform/index.ts';
import { reportOdd } from '../odd.ts';
import type { Payin, ObservedPayment, ReceivingAddress } from '../rail.ts';

/** Time after which a poll begins no more references, in ms: the caller waits for the whole poll. */
const POLL_MS = 9_000;

/**
 * Returns an `observe` that polls references separately, at most `maxAtOnce` at a time. A reference that fails for any reason is
 * reported as unread, and delays at most one of these workers. Throws a failure if no reference could be read, or if there is no
 * `unread` to report to.
 */
export function observeEach(
  maxAtOnce: number,
  poll: (reference: ReceivingAddress) => Promise<readonly ObservedPayment[]>,
): Payin['observe'] {
  return async (references, unread) => {
    const begun = monotonicMs();
    const seen: (readonly ObservedPayment[])[] = [];
    const failed = new Map<ReceivingAddress, unknown>();
    const waiting = references.entries();
    const worker = async (): Promise<void> => {
      for (const [at, reference] of waiting) {
        try {
          if (monotonicMs() > begun + POLL_MS) throw new Error('there was no time for it');
          seen[at] = (await poll(reference)).map(withoutOddFee);
        } catch (error) {
          failed.set(reference, error);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(maxAtOnce, references.length) }, worker));
    for (const [{ to }, error] of failed) {
      if (!unread || failed.size === references.length) throw error;
      unread({ to, detail: error instanceof Error ? error.message : String(error) });
    }
    return seen.flat();
  };
}

/** Returns a payment without an impossible fee (negative, or above the payment). The fee is logged, and the payment counts. */
function withoutOddFee(observedPayment: ObservedPayment): ObservedPayment {
  const { fee, ...rest } = observedPayment;
  if (fee === undefined || (fee >= 0n && fee <= observedPayment.parts)) return observedPayment;
  reportOdd(observedPayment.currency, 'what is kept of a payment', {
    txid: observedPayment.txid,
    parts: observedPayment.parts,
    fee,
  });
  return rest;
}
