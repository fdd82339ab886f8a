// Calls about stores, which everything of the payment gate belongs to.

import { z } from 'zod';
import { colour } from '../../fields/colour.ts';
import { line } from '../../fields/free-text.ts';
import { lifeMinutes } from '../../fields/life-minutes.ts';
import { isPlainHttps, returnUrl } from '../../fields/return-url.ts';
import { tolerance } from '../../fields/tolerance.ts';
import { STORE_PERMISSIONS, STORE_ROLES, type StoreRole } from '../../permissions.ts';
import { route } from '../../route.ts';
import { currencyCode, id, time, unitCode } from '../../wire.ts';
import { timezone } from '../account/account.ts';
import { businessState, webSite } from './business.ts';

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

const wrong = { error: 'wrong_value' };
const costsBearer = z.enum(['buyer', 'store'], wrong).meta({ description: 'Who bears spread and costs of a payment' });
const shortPreset = z
  .enum(['give_back', 'accept'], wrong)
  .meta({ description: 'What becomes of a partly paid invoice that nobody decides about' });
const methods = z.array(currencyCode, wrong).min(1, { error: 'methods_none' }).max(100, wrong);

/** Settings of a store that its invoices use, as a call gives them. Left-out ones stay, or are the usual ones of a new store. */
const invoiceSettings = {
  tolerance: tolerance.optional(),
  life_minutes: lifeMinutes
    .optional()
    .meta({ description: 'Minutes for which an invoice can be paid, within the bounds that `/stores` names' }),
  costs_bearer: costsBearer.optional(),
  short_preset: shortPreset.optional(),
  return_url: returnUrl.nullable().optional().meta({ description: 'Address to which a buyer returns; null for none' }),
  methods: methods.nullable().optional().meta({
    description: 'Currencies by which invoices may be paid: some of those that `/stores` names; null for all that the desk takes',
  }),
  colour: colour.nullable().optional().meta({ description: 'Colour of the page on which buyers pay; null for the desk’s own' }),
  letters: z.boolean().optional().meta({ description: 'True for a letter about each paid invoice' }),
};

const site = z
  .object({
    /** Origin of the site. Its subdomains belong to it. */
    site: z.string(),
    added_at: time,
    struck: z.boolean().meta({ description: 'True if the desk struck the site, so that return addresses lead there no longer' }),
  })
  .meta({ id: 'StoreSite' });

const storeRow = {
  id,
  kind: storeKind,
  name: line(),
  timezone: z.string(),
  invoice_currency: unitCode,
  settlement_currency: currencyCode,
  /** Percentage of an invoice's amount that may be missing. */
  tolerance: z.string(),
  /** Minutes for which an invoice can be paid. */
  life_minutes: z.int(),
  costs_bearer: costsBearer,
  short_preset: shortPreset,
  /** Address to which a buyer returns; absent if there is none. */
  return_url: z.string().optional(),
  /** Currencies by which invoices may be paid; absent for all that the desk takes. */
  methods: z.array(currencyCode).optional(),
  takes_reversible: z.boolean().meta({
    description:
      'True if invoices can be paid by the `reversible_methods` of `/stores`. The desk switches them on for a business; personal stores never have them',
  }),
  /** Colour of the page on which buyers pay, as `#rrggbb`; absent for the desk's own. */
  colour: z.string().optional(),
  /** Address of the store's picture; absent if there is none. */
  mark: z.string().optional(),
  /** True if the store gets a letter about each paid invoice. */
  letters: z.boolean(),
  /** Web sites to which return addresses lead, the oldest first; empty for stores that no business has. */
  sites: z.array(site),
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
    /** Currencies by which invoices may be paid. */
    methods: z.array(currencyCode),
    /** Those of `methods` whose payments can be taken back for months. */
    reversible_methods: z.array(currencyCode),
    /** Bounds of `life_minutes`. */
    life_minutes: z.object({ least: z.int(), most: z.int() }),
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
    ...invoiceSettings,
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
    ...invoiceSettings,
  }),
  output: store_,
  problems: [],
});

/** Maximum length of an origin: that of a domain's name (RFC 1035, 2.3.4) behind `https://`. */
const MAX_ORIGIN = 261;
/** A web site of a store: an origin without a port. */
const storeSite = webSite.refine((site) => isPlainHttps(site) && site.length <= MAX_ORIGIN, { error: 'site_format' });
const ofSites = { ...ofStore, allows: 'user: store.manage', method: 'POST', output: store_ } as const;

export const storeSiteAdd = route({
  ...ofSites,
  path: '/store/:store/sites/add',
  summary: 'Add a web site to the store of a business. Return addresses may lead there at once; the desk may strike it',
  input: z.object({ ...storeId, site: storeSite }),
  problems: ['store_without_sites'],
});

export const storeSiteRemove = route({
  ...ofSites,
  path: '/store/:store/sites/remove',
  summary: 'Remove a web site from a store',
  input: z.object({ ...storeId, site: webSite }),
  problems: ['store_without_sites', 'not_found'],
});

export const storeMarkRemove = route({
  ...ofSites,
  path: '/store/:store/mark/remove',
  summary: 'Remove a store’s picture',
  input: z.object(storeId),
  problems: [],
});
