// Permissions that members may give to API keys of a store.

import { STORE_SCOPES, type StoreScope } from '@kurs/contract';
import type { ManagedStore } from '../members/membership.ts';

/** Permissions that only the owner gives to a key. */
const isOfOwner = (permission: string): boolean => permission.startsWith('refunds.');

/** True if only the owner makes and revokes a key with these permissions. */
export const isKeyOfOwner = (permissions: readonly string[]): boolean => permissions.some(isOfOwner);

/** Returns the permissions that a member may give to a key: their own, except those for people and those of the owner. */
export const givableBy = ({ permissions, isOwner }: ManagedStore): StoreScope[] =>
  STORE_SCOPES.filter((one) => permissions.includes(one) && (isOwner || !isOfOwner(one)));
