import type { LogIds } from './log.ts';

/**
 * The thing that a payment, a payout or a limit belongs to: an order, a deposit, a withdrawal. Lower rooms know its kind and id
 * alone.
 */
export interface Owner {
  readonly kind: string;
  readonly id: string;
}

/** Returns an owner as the subject of its events: `order:0197…`. */
export function subjectOf({ kind, id }: Owner): string {
  return `${kind}:${id}`;
}

/** Returns the log field of an owner: its id under the name of its kind, as `orderId`. */
export const idsOfOwner = ({ kind, id }: Owner): LogIds => ({ [`${kind}Id`]: id });

/** Returns the log fields of several owners: a list of ids for each kind. */
export function idsOfOwners(owners: readonly Owner[]): LogIds {
  const byKind = Map.groupBy(owners, ({ kind }) => kind);
  return Object.fromEntries([...byKind].map(([kind, some]) => [`${kind}Id`, some.map(({ id }) => id)]));
}
