// The store, its kinds, and the currencies that it may choose.

import { type Input, type Routes, STORE_ROLES, type StoreRole } from '@kurs/contract';
import type { Resource } from '../../platform/index.ts';

export type StoreKind = Input<Routes['storeMake']>['kind'];

export interface Store {
  readonly id: string;
  readonly kind: StoreKind;
  /** The store's business; undefined for stores of other kinds. */
  readonly businessId: string | undefined;
  /** Id of the account of the store's owner. */
  readonly holderId: string;
  readonly name: string;
  /** IANA name of the time zone. */
  readonly timezone: string;
  /** Asset in which invoices are made. */
  readonly invoiceCurrency: string;
  /** Currency that the store is paid in. */
  readonly settlementCurrency: string;
  readonly createdAt: Date;
}

/** Maximum number of stores of each kind: of a business, and of an account holder. */
export const MAX_STORES: Readonly<Record<StoreKind, number>> = { business: 20, personal: 1, test: 3 };
/** Verification level that personal and test stores need. */
export const STORE_LEVEL = 1;

/** Kind of the resource that roles and API keys of stores are bound to. */
export const STORE = 'store';

/** Returns the resource that a store's roles and API keys are bound to. */
export const asResource = ({ id }: Pick<Store, 'id'>): Resource => ({ kind: STORE, id });

/** True if the store may have members and API keys. */
export const hasMembers = ({ kind }: Pick<Store, 'kind'>): boolean => kind !== 'personal';

/** True if the store has no money. */
export const isTestStore = ({ kind }: Pick<Store, 'kind'>): boolean => kind === 'test';

/** True if a stored role is one of those that stores have. */
export const isStoreRole = (role: string): role is StoreRole => Object.hasOwn(STORE_ROLES, role);
