import { Problem } from '@kurs/contract';
import { grantRole, grantsOf, membersOf, revokeKeysOn } from '../auth/index.ts';
import type { Cell, Db, Statements, Tx } from '../platform/index.ts';
import { invoiceRows } from './bookkeeping/invoice-rows.ts';
import { ownersOf } from './events/owners.ts';
import { endpointsOf, removeEndpoint } from '../deliveries/index.ts';
import { endInvitationsOf } from './members/invitation-rows.ts';
import { membersView } from './members/views.ts';
import { STORE, asResource } from './stores/store.ts';
import { lockStore, storesOwnedBy } from './stores/store-rows.ts';
import { ownStores } from './stores/views.ts';

/**
 * Ends the roles of an account holder on stores, and the invitations to their address (`mailbox`: its key). On stores that they
 * own, ends all roles, invitations, API keys and webhooks. The stores themselves stay, since records belong to them.
 */
export async function forgetStores(
  tx: Tx,
  { id: holderId, mailbox }: { readonly id: string; readonly mailbox: string | undefined },
): Promise<void> {
  const owned = await storesOwnedBy(tx, holderId);
  for (const { id } of owned) {
    const on = asResource(await lockStore(tx, id));
    await revokeKeysOn(tx, on);
    for (const endpoint of await endpointsOf(tx, ownersOf(id))) await removeEndpoint(tx, endpoint.id);
    for (const member of await membersOf(tx, on)) await grantRole(tx, { holderId: member.holderId, on, by: holderId });
  }
  for (const { on } of await grantsOf(tx, holderId, STORE)) await grantRole(tx, { holderId, on, by: holderId });
  await endInvitationsOf(tx, { emailKey: mailbox, storeIds: owned.map(({ id }) => id) });
}

/**
 * Returns the stores in which an account holder has a role, for the export of their account. Those that they own have their
 * members, and the members' API keys without secrets.
 */
export async function storeRecords(db: Db, holderId: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const stores = await ownStores(db, holderId);
  return Promise.all(
    stores.map(async ({ permissions: _permissions, business_state: _state, test: _test, ...store }) =>
      store.role === 'owner' ? { ...store, ...(await membersRecord(db, store.id)) } : store,
    ),
  );
}

/** Returns the members of a store; nothing for a store whose row was changed outside the product. */
async function membersRecord(db: Db, storeId: string): Promise<{ readonly members?: readonly object[] }> {
  try {
    return { members: (await membersView(db, storeId)).members };
  } catch (error) {
    if (error instanceof Problem && error.code === 'record_altered') return {};
    throw error;
  }
}

/** Yields the invoices of all stores that an account holder owns, for the export of their account, after a header row. */
export async function* storeInvoiceRows(db: Statements, holderId: string): AsyncGenerator<Cell[][]> {
  let hasHead = false;
  for (const { id, name } of await storesOwnedBy(db, holderId)) {
    let isHead = true;
    for await (const group of invoiceRows(db, { store: id })) {
      if (!isHead) yield group.map((cells) => [id, name, ...cells]);
      else if (!hasHead) yield group.map((cells) => ['store', 'store_name', ...cells]);
      [isHead, hasHead] = [false, true];
    }
  }
}
