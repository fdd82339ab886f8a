import { screens, verdictsOnPayouts } from '../compliance/index.ts';
import type { Kept, MayLeave } from '../payments/index.ts';

/**
 * An owner's answer, and that of the screening about where payouts go (refunds go back to where money came from): what goes
 * where the service warns of by now may not leave, and what it has not answered about waits. Without a service the owner's
 * answer is all.
 */
export function screenedFirst(owners: MayLeave): MayLeave {
  return async (tx, payouts) => {
    const kept = new Map<string, Kept>(await owners(tx, payouts));
    if (!screens()) return kept;
    const going = payouts.filter(({ id, purpose }) => purpose === 'payout' && !kept.has(id));
    const asked = going.map(({ id, currency, to: fields }) => ({ id, currency, fields }));
    const verdicts = await verdictsOnPayouts(tx, asked);
    for (const { id } of asked) {
      const isClear = verdicts.get(id);
      if (isClear === undefined) kept.set(id, { reason: 'where it goes is screened', waits: true });
      else if (!isClear) kept.set(id, { reason: 'account_refused' });
    }
    return kept;
  };
}
