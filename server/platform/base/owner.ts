import type { LogIds } from './log.ts';

/**
 * What something belongs to, or is counted for: an order, a deposit, a withdrawal. Lower rooms know no more of it than this.
 */
export interface Owner {
  readonly kind: string;
  readonly id: string;
}

/** An owner in one word, as its events name it: `order:0197…`. */
export function subjectOf({ kind, id }: Owner): string {
  return `${kind}:${id}`;
}

/** What a line of the log says of an owner. */
export const idsOfOwner = (owner: Owner): LogIds =>
  owner.kind === 'order' ? { orderId: owner.id } : { ownerId: subjectOf(owner) };

/** What a line of the log says of several: the orders among them. */
export function idsOfOwners(owners: readonly Owner[]): LogIds {
  const orders = owners.filter(({ kind }) => kind === 'order').map(({ id }) => id);
  return orders.length > 0 ? { orderId: orders } : {};
}
