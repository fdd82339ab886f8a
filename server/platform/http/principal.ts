// Who makes a call, and whether the call is for them. It is decided here alone, for reads and writes alike.

import { type Allowed, type Permission, Problem, type Route, type Scope, allowedBy, isFor } from '@kurs/contract';
import {
  type ApiKey,
  type Context,
  type Grant,
  type Operator,
  type Principal,
  type Question,
  type Resource,
  type User,
  withMore,
} from './calls.ts';
import type { Mode } from '../db/migrate.ts';

/** How those who call become known: whose session or key a bearer is, undefined where it is nobody's. */
export interface Authenticate {
  readonly user?: (bearer: string, ip: string) => Promise<User | undefined>;
  readonly operator?: (bearer: string, ip: string) => Promise<Operator | undefined>;
  readonly key?: (bearer: string, ip: string) => Promise<ApiKey | undefined>;
  /** What an account holder was granted on resources of a kind. Asked for calls that are for such members alone. */
  readonly grants?: (holderId: string, kind: string) => Promise<readonly Grant[]>;
}

/** The ways to authenticate callers, on an installation of a mode. */
export type Access = Authenticate & { readonly mode: Mode };

/** A resource, or any of its kind while the input is not known yet. */
type About = { readonly kind: string; readonly id?: string };

/** Whether a grant is good for what a call is about. One that is bound is good for its own resource alone. */
const covers = ({ on }: Grant, about: About | undefined): boolean =>
  !on || (on.kind === about?.kind && (about.id === undefined || about.id === on.id));

/**
 * Whether a principal may do what one of these allows. Permissions that are bound to a resource count for calls about one of
 * its kind alone; which one is asked once the input is known (`requireResource`).
 */
function isAllowed({ kind, grants, mode }: Principal, allows: readonly Allowed[], about: About | undefined): boolean {
  const theirs = grants.filter((grant) => covers(grant, about)).flatMap(({ permissions }) => permissions);
  return allows.some((one) => {
    if (one === 'public') return true;
    if (one === 'sandbox') return mode === 'sandbox';
    return one === kind || theirs.some((permission) => one === `${kind}: ${permission}`);
  });
}

/**
 * Asks for a permission for an action within a call, on a resource where the action is about one. Takes a person of the desk, a
 * key, or all that a caller was granted. Throws `forbidden` where none of it has the permission on that resource.
 */
export function requirePermission(granted: Grant | readonly Grant[], wanted: Permission | Scope, resource?: Resource): void {
  const fits = [granted].flat().some((grant) => covers(grant, resource) && grant.permissions.includes(wanted));
  if (!fits) throw new Problem('forbidden');
}

/** Refuses a question about a resource on which the caller may not do what the call is for. Throws `forbidden`. */
export function requireResource(question: Question): Question {
  const { route } = question.call;
  const { principal } = question.context;
  if (!route.about || !principal) return question;
  const id = (question.input as Record<string, unknown>)[route.about.field];
  const about = { kind: route.about.kind, id: typeof id === 'string' ? id : '' };
  if (!isAllowed(principal, allowedBy(route), about)) throw new Problem('forbidden');
  return question;
}

/**
 * The context of a call with its principal, at once where nobody has to be looked up, as for most calls. Throws `unauthorised`
 * where the route is for others than those who show nothing and the bearer is of nobody that it is for, and `forbidden` where
 * the principal lacks the permission.
 */
export function asPrincipal(route: Route, context: Context, access: Access): Context | Promise<Context> {
  const { mode } = access;
  const kind = kindAsked(route, context);
  if (kind === 'nobody') return admit(route, context, { kind, id: '', grants: [], mode });
  // Who our own code has shown already is not asked for again: a ticket's holder brings no token.
  const { user } = context;
  if (kind === 'user' && user && !isForMembers(route)) return admit(route, context, { kind, id: user.id, grants: [], mode });
  return known(kind, route, context, access);
}

/** Whether a call is for account holders by what they were granted. */
const isForMembers = (route: Route): boolean => allowedBy(route).some((one) => one.startsWith('user: '));

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

async function known(
  kind: Exclude<Principal['kind'], 'nobody'>,
  route: Route,
  context: Context,
  access: Access,
): Promise<Context> {
  const shown = kind === 'user' ? context.user : undefined;
  const found = shown ?? (context.bearer === undefined ? undefined : await access[kind]?.(context.bearer, context.ip));
  if (!found) throw new Problem('unauthorised');
  const { kind: about } = route.about ?? {};
  const ofMember = kind === 'user' && about !== undefined && isForMembers(route);
  const grants = 'permissions' in found ? [found] : ofMember ? ((await access.grants?.(found.id, about)) ?? []) : [];
  return admit(route, withMore(context, { [kind]: found }), { kind, id: found.id, grants, mode: access.mode });
}

/** The context of a principal that the route allows. Throws `forbidden` for any other. */
function admit(route: Route, context: Context, principal: Principal): Context {
  if (!isAllowed(principal, allowedBy(route), route.about && { kind: route.about.kind })) throw new Problem('forbidden');
  return principal.grants.length === 0 ? context : withMore(context, { principal });
}
