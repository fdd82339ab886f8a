import type { Fate, Missing, ObservedPayment } from '../rail.ts';
import { seekByBlock, seekEach } from '../seek.ts';
import { type Chain, type Head, blockAt } from './chain.ts';
import { handedKey, handedOnAt } from './internal-transfers.ts';
import { prove, observedPayment } from './observed-payments.ts';

/**
 * Returns the search for payments that a poll did not show. A payment is there if the node's report of its transaction still
 * has it. Otherwise it is gone if another block has replaced its block, and unknown if not.
 */
export function seeker(chain: Chain): (missing: readonly Missing[]) => Promise<readonly Fate[]> {
  return async (missing) => {
    const known = chain.head();
    // The head is read once for all payments. Each that awaits it gets the error, so it is ignored here.
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

/** Returns the payment, or coin handed on, as the node shows it now; undefined if the node doesn't show it. */
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
