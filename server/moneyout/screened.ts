import { screens, verdictsOnPayouts } from '../compliance/index.ts';
import type { Leaving, MayLeave, Kept } from '../payments/index.ts';
import type { Tx } from '../platform/index.ts';

/**
 * What the screening says of a payout no more: `decided`: people have just said where it goes, knowing what is to be known;
 * `returns`: it goes back to where its money came from, so nothing but silence holds it.
 */
export type Unscreened = 'decided' | 'returns';

/**
 * An owner's answer, and that of the screening about where payouts and refunds go: what goes where the service warns of by now
 * may not leave, and what it has not answered about waits. Without a service the owner's answer is all. `unscreened`: of which
 * payouts that is not so.
 */
export function screenedFirst(
  owners: MayLeave,
  unscreened: (tx: Tx, payouts: readonly Leaving[]) => Promise<ReadonlyMap<string, Unscreened>>,
): MayLeave {
  return async (tx, payouts) => {
    const kept = new Map<string, Kept>(await owners(tx, payouts));
    if (!screens()) return kept;
    const except = await unscreened(tx, payouts);
    const going = payouts.filter(({ id }) => !kept.has(id) && except.get(id) !== 'decided');
    const asked = going.map(({ id, currency, to: fields }) => ({ id, currency, fields }));
    const verdicts = await verdictsOnPayouts(tx, asked);
    for (const { id } of asked) {
      const isClear = verdicts.get(id);
      if (isClear === undefined) kept.set(id, { reason: 'where it goes is screened', waits: true });
      else if (!isClear && except.get(id) !== 'returns') kept.set(id, { reason: 'account_refused' });
    }
    return kept;
  };
}
