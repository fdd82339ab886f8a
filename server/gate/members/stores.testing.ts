// Stores for tests of higher rooms, made without a desk with prices.

import { grantRole } from '../../auth/index.ts';
import { type Db, newId } from '../../platform/index.ts';
import { seedStoreRoles } from '../stores/roles.ts';
import { type Store, asResource } from '../stores/store.ts';
import { addSites, newSite } from '../stores/site-rows.ts';
import { addStore } from '../stores/store-rows.ts';
import { initialSettings } from '../stores/store-settings.ts';
import { addInvitation, endInvitation } from './invitation-rows.ts';
import type { Invitation } from './invitation.ts';

/**
 * Makes a store with its owner, an open invitation and an ended one. `businessId`: of a business store, which also has a web site
 * that its owner added; else it is a test store. `settings`: those that differ from a new store's.
 */
export async function storeFor(db: Db, holderId: string, businessId?: string, settings: Partial<Store> = {}): Promise<Store> {
  return db.tx(async (tx) => {
    await seedStoreRoles(tx);
    const store: Store = {
      ...{ id: newId(), kind: businessId === undefined ? 'test' : 'business', businessId, holderId, name: 'Maps & more' },
      ...{ timezone: 'UTC', invoiceCurrency: 'USD', settlementCurrency: 'BTC', createdAt: tx.now },
      ...initialSettings(),
      ...settings,
    };
    await addStore(tx, store);
    if (businessId !== undefined) await addSites(tx, [newSite(tx, store, 'https://shop.example.com', holderId)]);
    await grantRole(tx, { holderId, on: asResource(store), role: 'owner', by: holderId });
    const invitation = (email: string): Invitation => ({
      ...{ id: newId(), storeId: store.id, email, emailKey: email, role: 'manager', invitedBy: holderId },
      ...{ invitedAt: tx.now, expiresAt: new Date(tx.now.getTime() + 86_400_000), endedAt: undefined },
    });
    const ended = invitation('left@example.org');
    await addInvitation(tx, ended);
    await endInvitation(tx, ended);
    await addInvitation(tx, invitation('invited@example.org'));
    return store;
  });
}
