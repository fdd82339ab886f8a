// Who makes a call, and whether the call is for them. It is decided here alone, for reads and writes alike.

import { type Allowed, type Permission, Problem, type Route, type Scope, allowedBy, isFor } from '@kurs/contract';
import { type ApiKey, type Context, type Operator, type Question, type Resource, type User, withMore } from './calls.ts';
import type { Mode } from '../db/migrate.ts';

/**
 * Who makes a call: nobody who has said who they are, an account holder, a person of the desk, or a key of an account holder.
 */
export interface Principal {
  readonly kind: 'nobody' | 'user' | 'operator' | 'key';
  /** The account holder's, the person's or the key's; empty for nobody. */
  readonly id: string;
  /** What a person of the desk may do, or a key is for. */
  readonly permissions: readonly string[];
  /** The resource that these are bound to; to none without it. */
  readonly on?: Resource | undefined;
  /** What the installation is that they are known to. */
  readonly mode: Mode;
}

/** How those who call become known: whose session or key a bearer is, undefined where it is nobody's. */
export interface Authenticate {
  readonly user?: (bearer: string, ip: string) => Promise<User | undefined>;
  readonly operator?: (bearer: string, ip: string) => Promise<Operator | undefined>;
  readonly key?: (bearer: string, ip: string) => Promise<ApiKey | undefined>;
}

/**
 * Whether a principal may do what one of these allows. Permissions that are bound to a resource count for calls about one of
 * its kind alone; which one is asked once the input is known (`requireResource`).
 */
function isAllowed({ kind, permissions, on, mode }: Principal, allows: readonly Allowed[], about: Route['about']): boolean {
  const isBound = on !== undefined && on.kind !== about?.kind;
  return allows.some((one) => {
    if (one === 'public') return true;
    if (one === 'sandbox') return mode === 'sandbox';
    return one === kind || (!isBound && permissions.some((permission) => one === `${kind}: ${permission}`));
  });
}

/**
 * Asks a principal's permission for an action within a call, on a resource where the action is about one. Throws `forbidden`
 * where they don't have it, or have it on another resource.
 */
export function requirePermission(
  { permissions, on }: Pick<Principal, 'permissions' | 'on'>,
  wanted: Permission | Scope,
  resource?: Resource,
): void {
  const fits = !on || (on.kind === resource?.kind && on.id === resource.id);
  if (!fits || !permissions.includes(wanted)) throw new Problem('forbidden');
}

/** Refuses a question about another resource than the caller's permissions are bound to. Throws `forbidden`. */
export function requireResource(question: Question): Question {
  const { about } = question.call.route;
  const { on } = question.context.key ?? {};
  if (!on || !about) return question;
  if ((question.input as Record<string, unknown>)[about.field] !== on.id) throw new Problem('forbidden');
  return question;
}

/**
 * The context of a call with its principal, at once where nobody has to be looked up, as for most calls. Throws `unauthorised`
 * where the route is for others than those who show nothing and the bearer is of nobody that it is for, and `forbidden` where
 * the principal lacks the permission.
 */
export function asPrincipal(
  route: Route,
  context: Context,
  access: Authenticate & { readonly mode: Mode },
): Context | Promise<Context> {
  const { mode } = access;
  const kind = kindAsked(route, context);
  // Who our own code has shown already is not asked for again: a ticket's holder brings no token.
  const { user } = context;
  if (kind === 'user' && user) return admit(route, { context, principal: { kind, id: user.id, permissions: [], mode } });
  if (kind === 'nobody') return admit(route, { context, principal: { kind, id: '', permissions: [], mode } });
  return known(kind, context, access).then((found) => admit(route, found));
}

/** What keys of account holders begin with. */
const KEY = /^kurs_(?:live|test)_/;

/**
 * The kinds of caller that a route asks for. Nobody has to be signed in for `knowsUser`, but a session that is over is
 * told.
 */
function kindAsked(route: Route, { bearer }: Context): Principal['kind'] {
  if (isFor(route, 'operator')) return 'operator';
  if (isFor(route, 'key') && bearer !== undefined && KEY.test(bearer)) return 'key';
  if (isFor(route, 'user') || (route.knowsUser === true && bearer !== undefined)) return 'user';
  return isFor(route, 'key') && !isFor(route, 'public') ? 'key' : 'nobody';
}

interface Known {
  readonly context: Context;
  readonly principal: Principal;
}

async function known(
  kind: Exclude<Principal['kind'], 'nobody'>,
  context: Context,
  access: Authenticate & { readonly mode: Mode },
): Promise<Known> {
  const found = context.bearer === undefined ? undefined : await access[kind]?.(context.bearer, context.ip);
  if (!found) throw new Problem('unauthorised');
  const permissions = 'permissions' in found ? found.permissions : [];
  const on = 'on' in found ? found.on : undefined;
  return { context: withMore(context, { [kind]: found }), principal: { kind, id: found.id, permissions, on, mode: access.mode } };
}

/** The context of a principal that the route allows. Throws `forbidden` for any other. */
function admit(route: Route, { context, principal }: Known): Context {
  if (!isAllowed(principal, allowedBy(route), route.about)) throw new Problem('forbidden');
  return context;
}
