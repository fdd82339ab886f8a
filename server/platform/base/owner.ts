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

/** An owner in a line of the log: its id under the name of its kind, as `orderId`. */
export const idsOfOwner = ({ kind, id }: Owner): LogIds => ({ [`${kind}Id`]: id });

/** Several owners in a line of the log: a list of ids for each kind. */
export function idsOfOwners(owners: readonly Owner[]): LogIds {
  const byKind = Map.groupBy(owners, ({ kind }) => kind);
  return Object.fromEntries([...byKind].map(([kind, some]) => [`${kind}Id`, some.map(({ id }) => id)]));
}
