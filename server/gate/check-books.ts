import { alteredGrants, alteredKeysOn, alteredResourceRoles, grantedResources } from '../auth/index.ts';
import { type BooksCheck, accuse, checkOfRows } from '../ledger/index.ts';
import { alteredBusinesses } from './businesses/business-store.ts';
import { alteredLinks } from './links/link-rows.ts';
import { alteredInvitations } from './members/invitation-rows.ts';
import { alteredSites } from './stores/site-rows.ts';
import { STORE } from './stores/store.ts';
import { alteredStores, missingStores } from './stores/store-rows.ts';

/** Checks the MACs of businesses, and of stores with their sites, links, invitations, roles and API keys, so that changes by SQL are found. */
export const gateCheck: BooksCheck = checkOfRows(async (db) => [
  ...accuse('business', await alteredBusinesses(db), 'the business is not what was applied for and decided'),
  ...accuse('store', await alteredStores(db), 'the store is not what its owner made'),
  ...accuse(
    'store',
    await missingStores(db, await grantedResources(db, STORE)),
    'somebody has a role on the store, and the store is gone',
  ),
  ...accuse('site', await alteredSites(db), 'the web site of the store is not what its members added or the desk decided'),
  ...accuse('link', await alteredLinks(db), 'the link of the store is not what its members made'),
  ...accuse('store', await alteredGrants(db, STORE), 'a role on the store is not what its members gave'),
  ...accuse('invitation', await alteredInvitations(db), 'the invitation is not what was sent'),
  ...accuse('role', await alteredResourceRoles(db, STORE), 'the permissions of the role on stores are not what was stated'),
  ...accuse('key', await alteredKeysOn(db, STORE), 'the API key of a store is not what its members made'),
]);
