import type { Statements } from '../../platform/index.ts';
import { settlementsOfHolder } from './settlement-rows.ts';

/**
 * Returns details of moves between stores and a holder's wallet, by the moves' ids, for the list of the wallet. `person`: name of
 * the store.
 */
export async function storeMoves(
  db: Statements,
  holderId: string,
  causes: readonly string[],
): Promise<ReadonlyMap<string, { readonly kind: 'other'; readonly person: string }>> {
  const found = await settlementsOfHolder(db, holderId, causes);
  return new Map(found.map(({ id, store }) => [id, { kind: 'other', person: store }]));
}
