// Identifies the caller of a call and checks the caller's permissions. This is the only file that does so, for reads and for
// writes.

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

/**
 * Functions that find a caller by a credential: the account holder of a session, the person of a desk key, or an API key. Each
 * function returns undefined for an unknown credential.
 */
export interface Authenticate {
  readonly user?: (bearer: string, ip: string) => Promise<User | undefined>;
  readonly operator?: (bearer: string, ip: string) => Promise<Operator | undefined>;
  readonly key?: (bearer: string, ip: string) => Promise<ApiKey | undefined>;
  /** Returns the grants of an account holder on resources of a kind. Used only for routes that require such grants. */
  readonly grants?: (holderId: string, kind: string) => Promise<readonly Grant[]>;
}

/** Functions that authenticate callers, and the installation's mode. */
export type Access = Authenticate & { readonly mode: Mode };

/** The resource of a call. `id` is absent until the input is validated. Without `id`, any resource of the kind is meant. */
type About = { readonly kind: string; readonly id?: string };

/** Returns true if a grant is valid for the resource of a call. A grant on a resource is valid only for that resource. */
const covers = ({ on }: Grant, about: About | undefined): boolean =>
  !on || (on.kind === about?.kind && (about.id === undefined || about.id === on.id));

/**
 * Returns true if a principal satisfies one of the rules of a route. A grant on a resource is used only for calls about
 * resources of the same kind. `requireResource` checks the resource itself, once the input is validated.
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
 * Throws `forbidden` unless one of the grants permits an action: everywhere, or on the given resource. `granted`: the caller (a
 * person of the desk or an API key), or all grants of the caller.
 */
export function requirePermission(granted: Grant | readonly Grant[], wanted: Permission | Scope, resource?: Resource): void {
  const fits = [granted].flat().some((grant) => covers(grant, resource) && grant.permissions.includes(wanted));
  if (!fits) throw new Problem('forbidden');
}

/** Throws `forbidden` unless the caller may use the call on the resource that the input names. Returns the same `question`. */
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
 * Returns the context of a call with its identified caller. Returns a promise only if the caller must be looked up; most calls
 * need no look-up. Throws `unauthorised` if the route requires a known caller and the credential is unknown or missing. Throws
 * `forbidden` if the caller lacks the permission.
 */
export function asPrincipal(route: Route, context: Context, access: Access): Context | Promise<Context> {
  const { mode } = access;
  const kind = kindRequested(route, context);
  if (kind === 'nobody') return admit(route, context, { kind, id: '', grants: [], mode });
  // Our own code may have set the user already, for example for a download ticket. A set user needs no credential.
  const { user } = context;
  if (kind === 'user' && user && !isForMembers(route)) return admit(route, context, { kind, id: user.id, grants: [], mode });
  return known(kind, route, context, access);
}

/** Returns true if a route is for account holders who have a grant. */
const isForMembers = (route: Route): boolean => allowedBy(route).some((one) => one.startsWith('user: '));

/** Matches the prefix of an API key. */
const KEY = /^kurs_(?:live|test)_/;

/**
 * Returns the kind of caller that a route expects. A route with `mayKnowUser` works without a session, but refuses an ended
 * session.
 */
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
  if (!found) throw new Problem((await isOfProgram(route, context, access)) ? 'forbidden' : 'unauthorised');
  const { kind: about } = route.about ?? {};
  const ofMember = kind === 'user' && about !== undefined && isForMembers(route);
  const grants = 'permissions' in found ? [found] : ofMember ? ((await access.grants?.(found.id, about)) ?? []) : [];
  return admit(route, withMore(context, { [kind]: found }), { kind, id: found.id, grants, mode: access.mode });
}

/**
 * Returns true for a call of members only that was made with a valid API key. A program would take `unauthorised` for the end of
 * its key.
 */
async function isOfProgram(route: Route, { bearer, ip }: Context, { key }: Access): Promise<boolean> {
  if (!isForMembers(route) || isFor(route, 'key') || bearer === undefined || !KEY.test(bearer)) return false;
  return (await key?.(bearer, ip)) !== undefined;
}

/** Returns the context with the principal's grants. Throws `forbidden` if the route doesn't allow this principal. */
function admit(route: Route, context: Context, principal: Principal): Context {
  if (!isAllowed(principal, allowedBy(route), route.about && { kind: route.about.kind })) throw new Problem('forbidden');
  return principal.grants.length === 0 ? context : withMore(context, { principal });
}
