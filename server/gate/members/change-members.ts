// Changes of a store's members. The owner keeps their role.

import { type Input, Problem, type Routes, type StoreRole } from '@kurs/contract';
import { grantRole, membersOf, revokeKeysOn } from '../../auth/index.ts';
import type { Db, Tx, User } from '../../platform/index.ts';
import { type Store, asResource } from '../stores/store.ts';
import { lockStore } from '../stores/store-rows.ts';
import { lockAsMember } from './membership.ts';

/** Gives a member another role. Throws `not_found` for anybody else, and `forbidden` for the owner. */
export async function changeMember(
  db: Db,
  { store: storeId, id, role }: Input<Routes['storeMemberChange']>,
  by: User,
): Promise<void> {
  await db.tx(async (tx) => {
    const { store } = await lockAsMember(tx, { storeId, holderId: by.id, wanted: 'members.manage' });
    await setRole(tx, store, { holderId: id, role, by: by.id });
  });
}

/**
 * Removes a member, and revokes those of the named keys of the store that the member made. Throws as `changeMember` does.
 */
export async function removeMember(
  db: Db,
  { store: storeId, id, keys }: Input<Routes['storeMemberRemove']>,
  by: User,
): Promise<void> {
  await db.tx(async (tx) => {
    const { store } = await lockAsMember(tx, { storeId, holderId: by.id, wanted: 'members.manage' });
    await setRole(tx, store, { holderId: id, by: by.id });
    await revokeKeysOn(tx, asResource(store), { ids: keys, madeBy: id });
  });
}

/** Ends the caller's own role on a store. Throws as `changeMember` does. */
export async function leaveStore(db: Db, storeId: string, { id: holderId }: User): Promise<void> {
  await db.tx(async (tx) => setRole(tx, await lockStore(tx, storeId), { holderId, by: holderId }));
}

/** Gives a member of a locked store another role; without `role` takes the present one away. */
async function setRole(
  tx: Tx,
  store: Store,
  { holderId, role, by }: { readonly holderId: string; readonly role?: StoreRole; readonly by: string },
): Promise<void> {
  if (holderId === store.holderId) throw new Problem('forbidden');
  const on = asResource(store);
  const members = await membersOf(tx, on);
  if (!members.some((member) => member.holderId === holderId)) throw new Problem('not_found');
  await grantRole(tx, { holderId, on, role, by });
}
