import { screens, verdictsOnPayouts } from '../compliance/index.ts';
import type { Leaving, MayLeave, PayoutObstacle } from '../payments/index.ts';
import type { Tx } from '../platform/index.ts';

/**
 * Reason for which a payout may leave in spite of the screening. `decided`: people have just chosen the receiving account and
 * know its verdict. `returns`: the money goes back to the account that it came from, so the payout only waits until there is a
 * verdict.
 */
export type Unscreened = 'decided' | 'returns';

/**
 * Returns a check of payouts and refunds that combines the owner's check with the screening of receiving accounts. Payouts to
 * flagged accounts are stopped, and payouts without a verdict wait. Without a screening service, only the owner's check applies.
 * `unscreened`: returns the exceptions, by payout id.
 */
export function screenedFirst(
  owners: MayLeave,
  unscreened: (tx: Tx, payouts: readonly Leaving[]) => Promise<ReadonlyMap<string, Unscreened>>,
): MayLeave {
  return async (tx, payouts) => {
    const obstacles = new Map<string, PayoutObstacle>(await owners(tx, payouts));
    if (!screens()) return obstacles;
    const except = await unscreened(tx, payouts);
    const going = payouts.filter(({ id }) => !obstacles.has(id) && except.get(id) !== 'decided');
    const requests = going.map(({ id, currency, to: fields }) => ({ id, currency, fields }));
    const verdicts = await verdictsOnPayouts(tx, requests);
    for (const { id } of requests) {
      const isClear = verdicts.get(id);
      if (isClear === undefined) obstacles.set(id, { reason: 'where it goes is screened', mayWait: true });
      else if (!isClear && except.get(id) !== 'returns') obstacles.set(id, { reason: 'account_refused' });
    }
    return obstacles;
  };
}
