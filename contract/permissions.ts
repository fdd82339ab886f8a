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

/** Scopes of API keys, and of grants on another account's resource. */
export const SCOPES = ['orders.read', 'partner.orders', 'partner.read', 'wallets.read'] as const;
export type Scope = (typeof SCOPES)[number];

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
