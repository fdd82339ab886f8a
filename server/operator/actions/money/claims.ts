// Claims of stores' refunds that wait for the desk: the list, and decisions about them.

import { type Input, type Output, Problem, type Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { UnitOfWork } from '../../../collecting/index.ts';
import type { Sender } from '../../../deliveries/index.ts';
import {
  businessesById,
  claimsById,
  claimsForDesk,
  clearClaimToLeave,
  decideAsDesk,
  peopleForClaim,
  refundsById,
  storesById,
  worthOfClaim,
} from '../../../gate/index.ts';
import type { Db } from '../../../platform/index.ts';
import type { Person } from '../../people/roles.ts';
import { type Acted, actAs } from '../../people/two-people.ts';

const MAX = 200;

type Waiting = Output<Routes['operatorClaims']>;

/** Returns the claims that wait for the desk, the oldest first, each with its worth of now and its store. */
export async function claimsView(db: Db): Promise<Waiting> {
  const claims = await claimsForDesk(db, MAX);
  const ids = <K>(of: (one: (typeof claims)[number]) => K): K[] => [...new Set(claims.map(of))];
  const [refunds, stores, businesses] = await Promise.all([
    refundsById(
      db,
      ids(({ refundId }) => refundId),
    ),
    storesById(
      db,
      ids(({ store }) => store.id),
    ),
    businessesById(
      db,
      ids(({ store }) => store.businessId).flatMap((id) => id ?? []),
    ),
  ]);
  const numbers = new Map(refunds.map(({ id, number }) => [id, number]));
  const text = (sum: { unit: string; parts: bigint }) => ({ amount: format(money(sum.unit, sum.parts)), currency: sum.unit });
  return claims.map((claim) => {
    const business = claim.store.businessId === undefined ? undefined : businesses.get(claim.store.businessId);
    return {
      ...{ id: claim.id, status: claim.state, refund: numbers.get(claim.refundId) ?? '' },
      store: stores.get(claim.store.id)?.name ?? '',
      ...(business && { business: business.legal_name }),
      ...{ claimed: text(claim.from), receives: text(claim), usd: format(money('USD', worthOfClaim(claim)), 2) },
      ...{ by: claim.currency, to: { ...claim.to }, people: peopleForClaim(claim), asked_at: claim.claimedAt.toISOString() },
      ...(claim.reason !== undefined && { reason: claim.reason }),
    };
  });
}

/**
 * Approves or rejects a claim. Throws `not_found`, and `order_changed` if the claim no longer waits for the desk. Throws the errors of
 * `clearClaimToLeave`, `decideAsDesk` and `actAs`; the claim then goes on waiting.
 */
export async function actOnClaim(
  db: Db,
  person: Person,
  { id, action, reason }: Input<Routes['operatorClaim']>,
  { sender, key }: { readonly sender: Sender; readonly key: string | undefined },
): Promise<Acted & { readonly state: Waiting[number]['status'] }> {
  // Calls the network, so no transaction may be open.
  if (action === 'approve') await clearClaimToLeave(db, id);
  return db.tx(async (tx) => {
    const [claim] = await claimsById(tx, [id]);
    if (!claim) throw new Problem('not_found');
    let { state } = claim;
    const check = (): void => {
      if (claim.state !== 'approving') throw new Problem('order_changed');
    };
    const wanted = {
      ...{ action: `claim_${action}`, subject: id, reason, body: {}, key, check },
      permission: 'withdrawals.decide',
      people: action === 'approve' ? peopleForClaim(claim) : 1,
      // A request is bound to the claim's status: if the payout was stopped again, an earlier approval is void.
      about: `${state} ${claim.statusAt.toISOString()}`,
    } as const;
    const acted = await actAs(tx, person, wanted, async (by) => {
      const unit = new UnitOfWork(tx);
      ({ state } = await decideAsDesk(unit, sender, { id, action, reason, by }));
      await unit.commit();
    });
    return { ...acted, state };
  });
}
