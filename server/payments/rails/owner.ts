import type { LogIds } from '../../platform/index.ts';

/** Whose a place or a payout is. Payments knows no more of an owner than this. */
export interface Owner {
  readonly kind: 'order' | 'desk' | 'wallet' | 'invoice';
  readonly id: string;
}

/** The subject of an owner's events: `order:0197…`. */
export function subjectOf(owner: Owner): string {
  return `${owner.kind}:${owner.id}`;
}

/** What a line of the log says of whose something is. */
export const idsOfOwner = ({ kind, id }: Owner): LogIds =>
  kind === 'order' ? { orderId: id } : { ownerId: subjectOf({ kind, id }) };

/** What a line of the log says of payouts, and of the orders that they are of. */
export function idsOf(payouts: readonly { readonly id: string; readonly owner: Owner }[]): LogIds {
  const orders = payouts.filter(({ owner }) => owner.kind === 'order').map(({ owner }) => owner.id);
  return { payoutId: payouts.map(({ id }) => id), ...(orders.length > 0 && { orderId: orders }) };
}
