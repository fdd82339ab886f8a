import { type Output, type Routes, STORE_ROLES, type StoreRole } from '@kurs/contract';
import { emailKey, holdersById, keysOn, membersOf, resourceRoles } from '../../auth/index.ts';
import type { Db, Statements, User } from '../../platform/index.ts';
import { invoiceCurrencies, methodCurrencies, reversibleMethods, settlementCurrencies } from '../stores/currencies.ts';
import { makeableKinds } from '../stores/make-store.ts';
import { STORE, asResource, isStoreRole } from '../stores/store.ts';
import { openStore, storesById } from '../stores/store-rows.ts';
import { lifeBounds } from '../stores/store-settings.ts';
import { knownAmong, ownStores } from '../stores/views.ts';
import type { Invitation } from './invitation.ts';
import { invitationsTo, openInvitations } from './invitation-rows.ts';

/** Returns the members, the open invitations and the roles of a store. Throws `record_altered`. */
export async function membersView(db: Db, storeId: string): Promise<Output<Routes['storeMembers']>> {
  const on = asResource(await openStore(db, storeId));
  const [members, keys, invitations, roles] = await Promise.all([
    membersOf(db, on),
    keysOn(db, on),
    openInvitations(db, storeId),
    resourceRoles(db, STORE),
  ]);
  const holders = await holdersById(
    db,
    members.map(({ holderId }) => holderId),
  );
  return {
    members: members.flatMap(({ holderId: id, role, since }) => {
      const holder = holders.get(id);
      if (!holder || !isStoreRole(role)) return [];
      const own = keys.filter(({ madeBy }) => madeBy === id).map((key) => ({ id: key.id, name: key.name, hint: key.hint }));
      return [{ id, email: holder.email, name: holder.name, role, since: since.toISOString(), keys: own }];
    }),
    invitations: invitations.map(invitationView),
    roles: (Object.keys(STORE_ROLES) as StoreRole[]).map((role) => ({ role, permissions: knownAmong(roles.get(role) ?? []) })),
  };
}

/** Returns an invitation as the members of its store see it. */
export function invitationView({ id, email, role, invitedAt, expiresAt }: Invitation): Output<Routes['storeInvite']> {
  return { id, email, role, invited_at: invitedAt.toISOString(), expires_at: expiresAt.toISOString() };
}

/** Returns the stores of an account holder, the open invitations to their verified address, and the choices for a new store. */
export async function storesView(db: Db, user: User): Promise<Output<Routes['stores']>> {
  const [stores, invitations, makeable] = await Promise.all([
    ownStores(db, user.id),
    user.isEmailVerified ? invitedTo(db, user.email) : [],
    makeableKinds(db, user.id),
  ]);
  return {
    ...{ stores, invitations, makeable },
    invoice_currencies: invoiceCurrencies(),
    settlement_currencies: settlementCurrencies(),
    ...{ methods: methodCurrencies(), reversible_methods: reversibleMethods() },
    life_minutes: lifeBounds(),
  };
}

async function invitedTo(db: Statements, email: string): Promise<Output<Routes['stores']>['invitations']> {
  const open = await invitationsTo(db, emailKey(email));
  const stores = await storesById(
    db,
    open.map(({ storeId }) => storeId),
  );
  const holders = await holdersById(
    db,
    open.map(({ invitedBy }) => invitedBy),
  );
  return open.flatMap(({ id, storeId, role, invitedBy, expiresAt }) => {
    const [store, by] = [stores.get(storeId), holders.get(invitedBy)];
    return store && by ? [{ id, store: store.name, role, by: by.email, expires_at: expiresAt.toISOString() }] : [];
  });
}
