// The store, its kinds and its settings.

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
  /** Part of an invoice that may be missing, in hundredths of a percent (0–500). */
  readonly tolerance: number;
  /** Minutes for which an invoice can be paid (15–10 080). */
  readonly lifeMinutes: number;
  /** Bearer of spread and costs. */
  readonly costsBearer: 'buyer' | 'store';
  /** Outcome of a partly paid invoice that nobody decides about. */
  readonly shortPreset: 'give_back' | 'accept';
  /** Address to which a buyer returns; undefined: none. */
  readonly returnUrl: string | undefined;
  /** Currency codes by which the store may be paid; undefined: all that the desk takes. */
  readonly methods: readonly string[] | undefined;
  /** Colour as `#rrggbb`; undefined: the desk's. */
  readonly colour: string | undefined;
  /** Id of the store's picture; undefined: none. */
  readonly mark: string | undefined;
  /** True if the store gets a letter per paid invoice. */
  readonly hasLetters: boolean;
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

/** True if return addresses of the store lead to its web sites alone. Other stores name any https address. */
export const hasSites = ({ kind }: Pick<Store, 'kind'>): boolean => kind === 'business';

/** True if the store has no money. */
export const isTestStore = ({ kind }: Pick<Store, 'kind'>): boolean => kind === 'test';

/** True if a stored role is one of those that stores have. */
export const isStoreRole = (role: string): role is StoreRole => Object.hasOwn(STORE_ROLES, role);
