import type { Fate, Missing } from '../rail.ts';
import { seekByBlock, seekEach } from '../seek.ts';
import { type Chain, blockAt } from './chain.ts';
import { prove, sighting } from './sightings.ts';

/**
 * What became of payments that a look did not show. Each is looked up by the node's own report of it: it stands where that has
 * the very payment. Else it is gone where another block stands in the place of its own.
 */
export function seeker(chain: Chain): (missing: readonly Missing[]) => Promise<readonly Fate[]> {
  return async (missing) => {
    const known = chain.head();
    // Asked once for all; whoever needs it learns that there is none.
    known.catch(() => undefined);
    return seekEach(missing, async (payment) => {
      const head = await known;
      const { arrivals } = await prove(chain, head, payment.to, payment.txid);
      const shown = arrivals.find(({ key }) => key === payment.key);
      if (shown) return { is: 'there', sighting: sighting(shown, head) };
      return seekByBlock(payment, {
        tip: async () => head.height,
        hashAt: async (height) => (await blockAt(chain.client, 'wallet', height))?.id,
      });
    });
  };
}
