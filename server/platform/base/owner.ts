import type { LogIds } from './log.ts';

/**
 * The order, deposit or withdrawal that a payment, a payout or the use of a limit belongs to. Lower rooms know only its kind and
 * id.
 */
export interface Owner {
  readonly kind: string;
  readonly id: string;
}

/** Returns the subject of an owner's events, such as `order:0197…`. */
export function subjectOf({ kind, id }: Owner): string {
  return `${kind}:${id}`;
}

/** Returns the log field with an owner's id, named after the owner's kind, such as `orderId`. */
export const idsOfOwner = ({ kind, id }: Owner): LogIds => ({ [`${kind}Id`]: id });

/** Returns the log fields with the ids of several owners: one list of ids for each kind. */
export function idsOfOwners(owners: readonly Owner[]): LogIds {
  const byKind = Map.groupBy(owners, ({ kind }) => kind);
  return Object.fromEntries([...byKind].map(([kind, some]) => [`${kind}Id`, some.map(({ id }) => id)]));
}
