// What a route may ask of its caller: the permissions of people of the desk, and the scopes of keys of account holders.

/**
 * What somebody of the desk may be allowed to do. Which role has which of them is data: the table `desk_role`.
 * `orders.run` decides about an order's money, `orders.judge` what the law asks of one; `settings.compliance` changes the
 * settings of compliance, `settings.change` all others. `session.begin` is all that a key does by itself with real money.
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

/** What a key of an account holder may be for, and what an account may be granted on a resource of another's. */
export const SCOPES = ['orders.read', 'partner.orders', 'partner.read', 'wallets.read'] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * Who a call is for: anybody with a client id, an account holder who is signed in, one to whom a scope was granted on the
 * resource that the call is about, a person of the desk with a permission, a key with a scope, or anybody while the product runs
 * as a sandbox.
 */
export type Allowed = 'public' | 'user' | 'sandbox' | `user: ${Scope}` | `operator: ${Permission}` | `key: ${Scope}`;

/** The kinds of caller that a route may be for. */
export type CallerKind = 'public' | 'user' | 'sandbox' | 'operator' | 'key';

interface Stating {
  readonly allows: Allowed | readonly Allowed[];
}

/** All that a route allows, as a list. */
export const allowedBy = ({ allows }: Stating): readonly Allowed[] => (typeof allows === 'string' ? [allows] : allows);

/** Whether a route is for callers of this kind, some of them at least. */
export const isFor = (route: Stating, kind: CallerKind): boolean =>
  allowedBy(route).some((one) => one === kind || one.startsWith(`${kind}: `));
