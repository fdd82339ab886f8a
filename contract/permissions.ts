// Rights that a route may require: permissions of the desk's people, and scopes of API keys and grants.

/**
 * Permissions of the desk's people. The table `desk_role` stores the permissions of each role. `orders.run` decides about an
 * order's money, `orders.judge` about legal duties. `settings.compliance` changes the settings of compliance, `settings.change`
 * all others. With real money, a person who shows only a key has `session.begin` alone.
 */
export const PERMISSIONS = [
  'affiliates.change',
  'affiliates.read',
  'alarms.read',
  'arrivals.book',
  'arrivals.read',
  'audit.read',
  'businesses.judge',
  'businesses.read',
  'clock.move',
  'coupons.change',
  'coupons.read',
  'customers.judge',
  'customers.read',
  'debts.read',
  'debts.settle',
  'deliveries.read',
  'deliveries.replay',
  'deposits.judge',
  'deposits.read',
  'directions.read',
  'directions.switch',
  'doubts.decide',
  'doubts.read',
  'feed.change',
  'money.close',
  'money.correct',
  'money.move',
  'money.read',
  'orders.judge',
  'orders.read',
  'orders.run',
  'payins.decide',
  'payins.read',
  'payouts.switch',
  'people.change',
  'people.read',
  'prices.change',
  'rails.read',
  'rails.switch',
  'reports.read',
  'requests.consent',
  'requests.read',
  'restored.end',
  'restored.read',
  'session.begin',
  'settings.change',
  'settings.compliance',
  'settings.read',
  'tickets.answer',
  'tickets.read',
  'withdrawals.decide',
  'withdrawals.read',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Scopes of an account's API keys. */
export const ACCOUNT_SCOPES = ['orders.read', 'partner.orders', 'partner.read', 'wallets.read'] as const;
export type AccountScope = (typeof ACCOUNT_SCOPES)[number];

/** Permissions on a store. Members have those of their role; a store's API key has those that it was made with. */
export const STORE_PERMISSIONS = [
  'invoices.read',
  'reports.read',
  'invoices.create',
  'invoices.manage',
  'payments.decide',
  'refunds.create',
  'refunds.approve',
  'refunds.propose',
  'store.manage',
  'webhooks.manage',
  'keys.manage',
  'members.manage',
  'settlement.move',
] as const;
export type StorePermission = (typeof STORE_PERMISSIONS)[number];

/** Permissions that no API key of a store has. Only people manage keys and members, move money out, and decide about payments. */
const FOR_PEOPLE = ['keys.manage', 'members.manage', 'settlement.move', 'payments.decide'] as const;
type ForPeople = (typeof FOR_PEOPLE)[number];
/** Permissions that an API key of a store may have. */
export const STORE_SCOPES = STORE_PERMISSIONS.filter(
  (one): one is Exclude<StorePermission, ForPeople> => !(FOR_PEOPLE as readonly string[]).includes(one),
);
export type StoreScope = (typeof STORE_SCOPES)[number];

/** Roles on a store, and their permissions. Each store has one owner, and any number of the others. */
export const STORE_ROLES = {
  owner: STORE_PERMISSIONS,
  manager: [
    'invoices.read',
    'reports.read',
    'invoices.create',
    'invoices.manage',
    'payments.decide',
    'refunds.create',
    'refunds.approve',
    'store.manage',
    'webhooks.manage',
  ],
  developer: ['invoices.read', 'reports.read', 'invoices.create', 'invoices.manage', 'webhooks.manage', 'keys.manage'],
  accountant: ['invoices.read', 'reports.read'],
} as const satisfies Readonly<Record<string, readonly StorePermission[]>>;
export type StoreRole = keyof typeof STORE_ROLES;

/** Permission that an API key or a role on a resource can grant. */
export type Scope = AccountScope | StorePermission;

/**
 * Callers that a route allows: anybody with a client id, a signed-in account holder, an account holder with a scope on the
 * resource of the call, a person of the desk with a permission, a key with a scope, or anybody in a sandbox.
 */
export type Allowed = 'public' | 'user' | 'sandbox' | `user: ${Scope}` | `operator: ${Permission}` | `key: ${Scope}`;

/** Kinds of callers. */
export type CallerKind = 'public' | 'user' | 'sandbox' | 'operator' | 'key';

interface Stating {
  readonly allows: Allowed | readonly Allowed[];
}

/** Returns all callers that a route allows, as a list. */
export const allowedBy = ({ allows }: Stating): readonly Allowed[] => (typeof allows === 'string' ? [allows] : allows);

/** True if the route allows at least some callers of this kind. */
export const isFor = (route: Stating, kind: CallerKind): boolean =>
  allowedBy(route).some((one) => one === kind || one.startsWith(`${kind}: `));

/** True for a call of the desk's people. The operator's console serves these calls; the site doesn't. */
export const isOfDesk = ({ path }: { readonly path: string }): boolean => path.startsWith('/operator/');
