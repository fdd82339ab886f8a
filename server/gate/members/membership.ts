import { Problem, type StorePermission } from '@kurs/contract';
import { grantsOf } from '../../auth/index.ts';
import { type Grant, type Tx, requirePermission } from '../../platform/index.ts';
import { STORE, type Store, asResource, hasMembers } from '../stores/store.ts';
import { lockStore } from '../stores/store-rows.ts';

/** A store, with the role that the acting member has on it now. */
export interface ManagedStore {
  readonly store: Store;
  /** Permissions of the acting member. */
  readonly permissions: readonly string[];
  /** True if the acting member is the store's owner. */
  readonly isOwner: boolean;
}

/**
 * Locks a store for a change of its members or keys. Reads the role of the acting member again under the lock, so that a member
 * who was just removed changes nothing. Throws `forbidden`, `record_altered`, and `store_without_members` for a personal store.
 */
export async function lockAsMember(
  tx: Tx,
  { storeId, holderId, wanted }: { readonly storeId: string; readonly holderId: string; readonly wanted: StorePermission },
): Promise<ManagedStore> {
  const store = await lockStore(tx, storeId);
  const grants = await grantsOf(tx, holderId, STORE);
  requirePermission(grants, wanted, asResource(store));
  if (!hasMembers(store)) throw new Problem('store_without_members');
  return managedBy(store, holderId, grants);
}

/** Returns a store as a member manages it. `grants`: all roles of the member. */
export function managedBy(store: Store, holderId: string, grants: readonly Grant[]): ManagedStore {
  const permissions = grants.filter(({ on }) => on?.id === store.id).flatMap((grant) => grant.permissions);
  return { store, permissions, isOwner: store.holderId === holderId };
}
