// Calls about stores, which everything of the payment gate belongs to.

import { z } from 'zod';
import { line } from '../../fields/free-text.ts';
import { STORE_PERMISSIONS, STORE_ROLES, type StoreRole } from '../../permissions.ts';
import { route } from '../../route.ts';
import { currencyCode, id, time, unitCode } from '../../wire.ts';
import { timezone } from '../account/account.ts';
import { businessState } from './business.ts';

/** Common fields of calls about one store. Its id stands in the path. */
export const ofStore = { tag: 'Stores', about: { kind: 'store', field: 'store' } } as const;
export const storeId = { store: id };

const own = { allows: 'user', tag: 'Stores' } as const;

export const storeKind = z.enum(['business', 'personal', 'test']).meta({
  id: 'StoreKind',
  description:
    '`business`: of an approved business · `personal`: one for each account, without keys and members · `test`: no money',
});

export const storeRole = z.enum(Object.keys(STORE_ROLES) as [StoreRole, ...StoreRole[]]);
/** Roles that somebody may be invited for. A store keeps its one owner. */
export const invitedRole = storeRole.exclude(['owner'], { error: 'wrong_value' });

const storeName = line().min(1, { error: 'required' }).max(60, { error: 'too_long' });
const invoiceCurrency = unitCode.meta({ description: 'Currency that invoices are made in: one that has a price now' });
const settlementCurrency = currencyCode.meta({ description: 'Currency that the store is paid in' });

const storeRow = {
  id,
  kind: storeKind,
  name: line(),
  timezone: z.string(),
  invoice_currency: unitCode,
  settlement_currency: currencyCode,
  created_at: time,
  /** State of the store's business; absent for stores of other kinds. */
  business_state: businessState.optional(),
  test: z.boolean().meta({ description: 'True for a test store, which has no money' }),
};

export const store_ = z.object(storeRow).meta({ id: 'Store' });

const ownStore = store_.extend({ role: storeRole, permissions: z.array(z.enum(STORE_PERMISSIONS)) }).meta({ id: 'OwnStore' });

const invitation = z.object({
  id,
  store: line(),
  role: storeRole,
  /** E-mail address of the member who invited. */
  by: z.string(),
  expires_at: time,
});

export const stores = route({
  ...own,
  method: 'GET',
  path: '/stores',
  summary: 'Stores in which the caller has a role, open invitations to the caller’s address, and what a new store may choose',
  input: z.object({}),
  output: z.object({
    stores: z.array(ownStore),
    invitations: z.array(invitation),
    /** Kinds of stores that the caller may make now. */
    makeable: z.array(storeKind),
    invoice_currencies: z.array(unitCode),
    settlement_currencies: z.array(currencyCode),
  }),
  problems: [],
});

export const storeMake = route({
  ...own,
  method: 'POST',
  path: '/stores/make',
  summary: 'Make a store. A business store needs an approved business, the other kinds an account of level 1',
  input: z.object({
    kind: storeKind,
    name: storeName,
    timezone: timezone.optional(),
    invoice_currency: invoiceCurrency,
    settlement_currency: settlementCurrency,
  }),
  output: ownStore,
  problems: ['level_needed', 'business_not_approved', 'stores_too_many'],
  isIdempotent: true,
});

export const store = route({
  ...ofStore,
  allows: ['user: invoices.read', 'key: invoices.read'],
  method: 'GET',
  path: '/store/:store',
  summary: 'A store and its settings',
  input: z.object(storeId),
  output: store_.extend({ permissions: z.array(z.enum(STORE_PERMISSIONS)).meta({ description: 'The caller’s permissions' }) }),
  problems: [],
});

export const storeChange = route({
  ...ofStore,
  allows: ['user: store.manage', 'key: store.manage'],
  method: 'POST',
  path: '/store/:store/change',
  summary: 'Change a store’s settings; fields that are left out stay. Existing invoices keep theirs',
  input: z.object({
    ...storeId,
    name: storeName.optional(),
    timezone: timezone.optional(),
    invoice_currency: invoiceCurrency.optional(),
    settlement_currency: settlementCurrency.optional(),
  }),
  output: store_,
  problems: [],
});
