import { alteredGrants, alteredKeysOn, alteredResourceRoles, grantedResources } from '../auth/index.ts';
import { type BooksCheck, accuse, checkOfRows } from '../ledger/index.ts';
import { alteredBusinesses } from './businesses/business-store.ts';
import { alteredInvitations } from './members/invitation-rows.ts';
import { STORE } from './stores/store.ts';
import { alteredStores, missingStores } from './stores/store-rows.ts';

/** Checks the MACs of businesses, stores, invitations, roles and API keys of stores, so that changes by SQL are found. */
export const gateCheck: BooksCheck = checkOfRows(async (db) => [
  ...accuse('business', await alteredBusinesses(db), 'the business is not what was applied for and decided'),
  ...accuse('store', await alteredStores(db), 'the store is not what its owner made'),
  ...accuse(
    'store',
    await missingStores(db, await grantedResources(db, STORE)),
    'somebody has a role on the store, and the store is gone',
  ),
  ...accuse('store', await alteredGrants(db, STORE), 'a role on the store is not what its members gave'),
  ...accuse('invitation', await alteredInvitations(db), 'the invitation is not what was sent'),
  ...accuse('role', await alteredResourceRoles(db, STORE), 'the permissions of the role on stores are not what was stated'),
  ...accuse('key', await alteredKeysOn(db, STORE), 'the API key of a store is not what its members made'),
]);
