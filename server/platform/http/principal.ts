// Decides who makes a call and whether they may. This is the only place where that is decided, for reads and writes.

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

/** Finds callers by their credential: the owner of a session or a key, or undefined if it belongs to nobody. */
export interface Authenticate {
  readonly user?: (bearer: string, ip: string) => Promise<User | undefined>;
  readonly operator?: (bearer: string, ip: string) => Promise<Operator | undefined>;
  readonly key?: (bearer: string, ip: string) => Promise<ApiKey | undefined>;
  /** Returns the grants of an account holder on resources of a kind. Used only by calls for members. */
  readonly grants?: (holderId: string, kind: string) => Promise<readonly Grant[]>;
}

/** The ways to authenticate callers, on an installation of a mode. */
export type Access = Authenticate & { readonly mode: Mode };

/** A resource, or any of its kind while the input is not known yet. */
type About = { readonly kind: string; readonly id?: string };

/** Returns true if a grant covers the resource of a call. A grant that is bound to a resource covers that one alone. */
const covers = ({ on }: Grant, about: About | undefined): boolean =>
  !on || (on.kind === about?.kind && (about.id === undefined || about.id === on.id));

/**
 * Returns true if a principal satisfies one of these rules. Permissions bound to a resource count for calls about its kind alone;
 * `requireResource` checks the resource itself once the input is known.
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
 * Requires a permission for an action within a call, on a resource if the action has one. `granted`: a person of the desk, a key,
 * or all grants of a caller. Throws `forbidden` without the permission.
 */
export function requirePermission(granted: Grant | readonly Grant[], wanted: Permission | Scope, resource?: Resource): void {
  const fits = [granted].flat().some((grant) => covers(grant, resource) && grant.permissions.includes(wanted));
  if (!fits) throw new Problem('forbidden');
}

/** Checks that the caller may use the call on the resource that the input names. Throws `forbidden`. */
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
 * Returns the context of a call with its principal, without a promise if nothing has to be looked up, as for most calls. Throws
 * `unauthorised` if the route requires a known caller and the credential belongs to none, and `forbidden` if the principal lacks
 * the permission.
 */
export function asPrincipal(route: Route, context: Context, access: Access): Context | Promise<Context> {
  const { mode } = access;
  const kind = kindRequested(route, context);
  if (kind === 'nobody') return admit(route, context, { kind, id: '', grants: [], mode });
  // A user whom our own code has set already needs no credential: a ticket's holder brings no token.
  const { user } = context;
  if (kind === 'user' && user && !isForMembers(route)) return admit(route, context, { kind, id: user.id, grants: [], mode });
  return known(kind, route, context, access);
}

/** Returns true if a call is for account holders with grants. */
const isForMembers = (route: Route): boolean => allowedBy(route).some((one) => one.startsWith('user: '));

/** Prefix of account holders' keys. */
const KEY = /^kurs_(?:live|test)_/;

/** Returns the kind of caller that a route expects. `mayKnowUser` requires no session, but an ended session is refused. */
function kindRequested(route: Route, { bearer }: Context): Principal['kind'] {
  if (isFor(route, 'operator')) return 'operator';
  if (isFor(route, 'key') && bearer !== undefined && KEY.test(bearer)) return 'key';
  if (isFor(route, 'user') || (route.mayKnowUser === true && bearer !== undefined)) return 'user';
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

/** Returns the context of a principal that the route allows. Throws `forbidden` for any other. */
function admit(route: Route, context: Context, principal: Principal): Context {
  if (!isAllowed(principal, allowedBy(route), route.about && { kind: route.about.kind })) throw new Problem('forbidden');
  return principal.grants.length === 0 ? context : withMore(context, { principal });
}
