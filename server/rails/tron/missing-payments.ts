import type { Fate, Missing, ObservedPayment } from '../rail.ts';
import { seekByBlock, seekEach } from '../seek.ts';
import { type Chain, type Head, blockAt } from './chain.ts';
import { handedKey, handedOnAt } from './internal-transfers.ts';
import { prove, observedPayment } from './observed-payments.ts';

/**
 * What became of payments that a look did not show. Each is looked up by the node's own report of it: it stands where that has
 * the very payment. Else it is gone where another block stands in the place of its own.
 */
export function seeker(chain: Chain): (missing: readonly Missing[]) => Promise<readonly Fate[]> {
  return async (missing) => {
    const known = chain.head();
    // Asked once for all; anyone who needs it learns that there is none.
    known.catch(() => undefined);
    return seekEach(missing, async (payment) => {
      const head = await known;
      const shown = await shownNow(chain, head, payment);
      if (shown) return { is: 'there', sighting: shown };
      return seekByBlock(payment, {
        tip: async () => head.height,
        hashAt: async (height) => (await blockAt(chain.client, 'wallet', height))?.id,
      });
    });
  };
}

/** The payment as the node shows it now: one of its own, or what a contract handed on. */
async function shownNow(
  chain: Chain,
  head: Head,
  { key, currency, to, parts, txid }: Missing,
): Promise<ObservedPayment | undefined> {
  if (key === handedKey(txid, to)) {
    const [shown] = await handedOnAt(chain, [{ currency, to, sinceHeight: 0, handedOn: [{ txid, parts }] }]);
    return shown;
  }
  const { arrivals } = await prove(chain, head, to, txid);
  const found = arrivals.find((arrival) => arrival.key === key);
  return found && observedPayment(found, head);
}
