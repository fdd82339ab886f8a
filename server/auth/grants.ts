// Roles of account holders on other people's resources.
//
// The room that owns a kind of resource defines its roles and grants them. Calls about such a resource require the roles'
// permissions (`allows: 'user: …'`, `about`). Each change of a role or grant adds a row, and the newest valid row applies from
// the next call on. The newest is the one with the latest time, which its MAC covers. So rows inserted by SQL are ignored, and a
// copy of an older row gives nothing back.

import type { Scope } from '@kurs/contract';
import { type Grant, type Resource, type Statements, type Tx, isMac, macOf, steady } from '../platform/index.ts';

/** A role of an account holder on a resource, with the permissions that the role has now. */
export interface HeldRole extends Grant {
  readonly role: string;
  readonly on: Resource;
}

/** An account holder with a role on a resource. */
export interface Member {
  readonly holderId: string;
  readonly role: string;
  /** Time at which they got the present role. */
  readonly since: Date;
}

/** Author of a change: an account holder's id, a person of the desk, or `installation`. */
interface By {
  readonly by: string;
}

interface RoleRow {
  readonly kind: string;
  readonly role: string;
  readonly permissions: readonly string[];
  readonly since: Date;
  readonly by: string;
}

const ofRole = ({ kind, role, permissions, since, by }: RoleRow): string => steady([kind, role, permissions, since, by]);

interface GrantRow {
  readonly holderId: string;
  readonly kind: string;
  readonly id: string;
  readonly role: string | null;
  readonly since: Date;
  readonly by: string;
}

const ofGrant = ({ holderId, kind, id, role, since, by }: GrantRow): string => steady([holderId, kind, id, role, since, by]);

type Stored<Row> = Row & { readonly mac: string | null };

const ROLE = 'resource_kind as kind, role, permissions, since, by, mac';
const GRANT = 'holder_id as "holderId", resource_kind as kind, resource_id as id, role, since, by, mac';
const ROLES = `select ${ROLE} from resource_role`;
const GRANTS = `select ${GRANT} from resource_grant`;
const NEWEST = 'order by since desc, seq desc';

const isRole = (row: Stored<RoleRow>): boolean => isMac('resource role', ofRole(row), row.mac);
const isGrant = (row: Stored<GrantRow>): boolean => isMac('resource grant', ofGrant(row), row.mac);

/** Returns the time of a new row: now, or just after the row that it replaces. A concurrent change may have begun later. */
const timeAfter = ({ now }: Tx, before: { readonly since: Date } | undefined): Date =>
  new Date(Math.max(now.getTime(), (before?.since.getTime() ?? 0) + 1));

/** Sets the permissions of a role on resources of a kind, for everybody who has the role. */
export async function setResourceRole(
  tx: Tx,
  { kind, role, permissions, by }: By & { readonly kind: string; readonly role: string; readonly permissions: readonly Scope[] },
): Promise<void> {
  const rows = await tx.rows<Stored<RoleRow>>(`${ROLES} where resource_kind = $1 and role = $2 ${NEWEST}`, [kind, role]);
  const row = { kind, role, permissions: [...new Set(permissions)], since: timeAfter(tx, rows.find(isRole)), by };
  await tx.run(`insert into resource_role (resource_kind, role, permissions, since, by, mac) values ($1, $2, $3, $4, $5, $6)`, [
    ...[kind, role, row.permissions, row.since, by, macOf('resource role', ofRole(row))],
  ]);
}

/**
 * Gives an account holder a role on a resource, in place of the present role. If `role` is undefined, only takes the present
 * role away. The caller holds a lock of the resource, so that the last of two concurrent changes applies.
 */
export async function grantRole(
  tx: Tx,
  { holderId, on, role, by }: By & { readonly holderId: string; readonly on: Resource; readonly role?: string | undefined },
): Promise<void> {
  const rows = await tx.rows<Stored<GrantRow>>(
    `${GRANTS} where holder_id = $1 and resource_kind = $2 and resource_id = $3 ${NEWEST}`,
    [holderId, on.kind, on.id],
  );
  const row = { holderId, kind: on.kind, id: on.id, role: role ?? null, since: timeAfter(tx, rows.find(isGrant)), by };
  await tx.run(
    `insert into resource_grant (holder_id, resource_kind, resource_id, role, since, by, mac) values ($1, $2, $3, $4, $5, $6, $7)`,
    [holderId, on.kind, on.id, row.role, row.since, by, macOf('resource grant', ofGrant(row))],
  );
}

/** Returns an account holder's roles on resources of a kind, one for each resource. */
export async function grantsOf(db: Statements, holderId: string, kind: string): Promise<readonly HeldRole[]> {
  const rows = await db.rows<Stored<GrantRow>>(
    `${GRANTS} where holder_id = $1 and resource_kind = $2 ${NEWEST}`,
    [holderId, kind],
    { name: 'auth.grants' },
  );
  const held = newestBy(rows.filter(isGrant), ({ id }) => id);
  if (held.length === 0) return [];
  const permissions = await resourceRoles(db, kind);
  return held.flatMap(({ id, role }) => {
    const given = role === null ? undefined : permissions.get(role);
    return role !== null && given ? [{ role, permissions: given, on: { kind, id } }] : [];
  });
}

/** Returns the ids of the resources of a kind on which account holders have a role, by holder. Holders without one are left out. */
export async function resourcesOf(
  db: Statements,
  holderIds: readonly string[],
  kind: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db.rows<Stored<GrantRow>>(
    `${GRANTS} where holder_id = any ($1::uuid[]) and resource_kind = $2 ${NEWEST}`,
    [holderIds, kind],
    { name: 'auth.resources_of' },
  );
  const held = newestBy(rows.filter(isGrant), ({ holderId, id }) => `${holderId} ${id}`).filter(({ role }) => role !== null);
  return new Map([...Map.groupBy(held, ({ holderId }) => holderId)].map(([holder, own]) => [holder, own.map(({ id }) => id)]));
}

/** Returns the account holders who have a role on a resource, the newest first. */
export async function membersOf(db: Statements, { kind, id }: Resource): Promise<readonly Member[]> {
  const rows = await db.rows<Stored<GrantRow>>(`${GRANTS} where resource_kind = $1 and resource_id = $2 ${NEWEST}`, [kind, id], {
    name: 'auth.members',
  });
  return newestBy(rows.filter(isGrant), ({ holderId }) => holderId).flatMap(({ holderId, role, since }) =>
    role === null ? [] : [{ holderId, role, since }],
  );
}

/** Returns the permissions of each role on resources of a kind. */
export async function resourceRoles(db: Statements, kind: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db.rows<Stored<RoleRow>>(`${ROLES} where resource_kind = $1 ${NEWEST}`, [kind], {
    name: 'auth.resource_roles',
  });
  return new Map(newestBy(rows.filter(isRole), ({ role }) => role).map(({ role, permissions }) => [role, permissions]));
}

/** Returns the first of the rows for each key. */
function newestBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  const newest = new Map<string, Row>();
  for (const row of rows) if (!newest.has(keyOf(row))) newest.set(keyOf(row), row);
  return [...newest.values()];
}

/** Returns the ids of all resources of a kind on which somebody has or had a role. */
export async function grantedResources(db: Statements, kind: string): Promise<string[]> {
  const rows = await db.rows<Stored<GrantRow>>(`${GRANTS} where resource_kind = $1`, [kind]);
  return [...new Set(rows.filter(isGrant).map(({ id }) => id))];
}

/** SQL: true for a row that is not newer than an earlier one of the same `key`, such as a copy. */
const isCopyOf = (key: string): string =>
  `coalesce(since <= max(since) over (partition by ${key} order by seq rows between unbounded preceding and 1 preceding), false)`;

/** Returns the ids of resources of a kind about which SQL wrote a grant: without a valid MAC, or as a copy of an older one. */
export async function alteredGrants(db: Statements, kind: string): Promise<string[]> {
  const rows = await db.rows<Stored<GrantRow> & { readonly isCopy: boolean }>(
    `select ${GRANT}, ${isCopyOf('holder_id, resource_id')} as "isCopy" from resource_grant where resource_kind = $1`,
    [kind],
  );
  return [...new Set(rows.filter((row) => row.isCopy || !isGrant(row)).map(({ id }) => id))];
}

/** Returns the roles on resources of a kind that SQL wrote: without a valid MAC, or as a copy of an older row. */
export async function alteredResourceRoles(db: Statements, kind: string): Promise<string[]> {
  const rows = await db.rows<Stored<RoleRow> & { readonly isCopy: boolean }>(
    `select ${ROLE}, ${isCopyOf('role')} as "isCopy" from resource_role where resource_kind = $1`,
    [kind],
  );
  return [...new Set(rows.filter((row) => row.isCopy || !isRole(row)).map(({ role }) => role))];
}
