// A changed refund with its claims, as one transaction saves it.

import type { Tx } from '../../../platform/index.ts';
import type { RefundNews } from '../../rows/event-rows.ts';
import type { RefundEvent } from '../machine/refund-machine.ts';
import { type Claim, type Refund, movedBy } from '../machine/refund.ts';
import { claimsOf, saveClaims } from '../rows/claim-rows.ts';
import { lockRefund, saveRefund } from '../rows/refund-rows.ts';
import { tellRefund } from '../tell-refund.ts';

/** A locked refund with all of its claims. */
export interface OpenRefund {
  readonly refund: Refund;
  readonly claims: readonly Claim[];
}

/** Locks a refund and reads its claims. Throws `refund_unknown` and `record_altered`. */
export async function openRefund(tx: Tx, id: string): Promise<OpenRefund> {
  const refund = await lockRefund(tx, id);
  return { refund, claims: await claimsOf(tx, [id]) };
}

/** Returns claims with one of them changed, or added. */
export const withClaim = (claims: readonly Claim[], changed: Claim): Claim[] =>
  claims.some(({ id }) => id === changed.id)
    ? claims.map((one) => (one.id === changed.id ? changed : one))
    : [...claims, changed];

/** A change of a refund. `news`: its event for the store; undefined if there is none. */
export interface Change {
  readonly event: RefundEvent;
  readonly news?: RefundNews | undefined;
  readonly claim?: Claim | undefined;
}

/** Moves a locked refund by an event and saves it with the changed claim. `refund`: with its changed sums. */
export async function saveChange(tx: Tx, { refund, claims }: OpenRefund, { event, news, claim }: Change): Promise<OpenRefund> {
  const all = claim ? withClaim(claims, claim) : claims;
  const moved = movedBy(refund, event, all);
  if (claim && claims.some(({ id }) => id === claim.id)) await saveClaims(tx, [claim]);
  await saveRefund(tx, moved, all);
  if (news !== undefined) await tellRefund(tx, moved, news, claim);
  return { refund: moved, claims: all };
}
