import { grantRole, grantsOf, membersOf, revokeKeysOn } from '../auth/index.ts';
import type { Statements, Tx } from '../platform/index.ts';
import { endInvitationsOf } from './members/invitation-rows.ts';
import { STORE, asResource } from './stores/store.ts';
import { lockStore, storesOwnedBy } from './stores/store-rows.ts';
import { ownStores } from './stores/views.ts';

/**
 * Ends the roles of an account holder on stores, and the invitations to their address (`mailbox`: its key). On stores that they
 * own, ends all roles, invitations and API keys. The stores themselves stay, since records belong to them.
 */
export async function forgetStores(
  tx: Tx,
  { id: holderId, mailbox }: { readonly id: string; readonly mailbox: string | undefined },
): Promise<void> {
  const owned = await storesOwnedBy(tx, holderId);
  for (const { id } of owned) {
    const on = asResource(await lockStore(tx, id));
    await revokeKeysOn(tx, on);
    for (const member of await membersOf(tx, on)) await grantRole(tx, { holderId: member.holderId, on, by: holderId });
  }
  for (const { on } of await grantsOf(tx, holderId, STORE)) await grantRole(tx, { holderId, on, by: holderId });
  await endInvitationsOf(tx, { emailKey: mailbox, storeIds: owned.map(({ id }) => id) });
}

/** Returns the stores in which an account holder has a role, for the export of their account. */
export async function storeRecords(db: Statements, holderId: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return (await ownStores(db, holderId)).map(
    ({ permissions: _permissions, business_state: _state, test: _test, ...store }) => store,
  );
}
