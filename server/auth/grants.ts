// Roles of account holders on other people's resources.
//
// The room that owns a kind of resource defines its roles and grants them. Calls about such a resource require the roles'
// permissions (`allows: 'user: …'`, `about`). Each change of a role or grant adds a row, and the newest valid row applies from
// the next call on. Rows inserted by SQL are ignored.

import type { Scope } from '@kurs/contract';
import { type Grant, type Resource, type Statements, type Tx, isMac, macOf, steady } from '../platform/index.ts';

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

/** Sets the permissions of a role on resources of a kind, for everybody who has the role. */
export async function setResourceRole(
  tx: Tx,
  { kind, role, permissions, by }: By & { readonly kind: string; readonly role: string; readonly permissions: readonly Scope[] },
): Promise<void> {
  const row = { kind, role, permissions: [...new Set(permissions)], since: tx.now, by };
  await tx.run(`insert into resource_role (resource_kind, role, permissions, since, by, mac) values ($1, $2, $3, $4, $5, $6)`, [
    ...[kind, role, row.permissions, row.since, by, macOf('resource role', ofRole(row))],
  ]);
}

/**
 * Gives an account holder a role on a resource, in place of the present role. If `role` is undefined, only takes the present
 * role away.
 */
export async function grantRole(
  tx: Tx,
  { holderId, on, role, by }: By & { readonly holderId: string; readonly on: Resource; readonly role?: string | undefined },
): Promise<void> {
  const row = { holderId, kind: on.kind, id: on.id, role: role ?? null, since: tx.now, by };
  await tx.run(
    `insert into resource_grant (holder_id, resource_kind, resource_id, role, since, by, mac) values ($1, $2, $3, $4, $5, $6, $7)`,
    [holderId, on.kind, on.id, row.role, row.since, by, macOf('resource grant', ofGrant(row))],
  );
}

/** Returns an account holder's grants on resources of a kind, one for each resource. */
export async function grantsOf(db: Statements, holderId: string, kind: string): Promise<readonly Grant[]> {
  const grants = await db.rows<GrantRow & { mac: string | null }>(
    `select holder_id as "holderId", resource_kind as kind, resource_id as id, role, since, by, mac from resource_grant
     where holder_id = $1 and resource_kind = $2 order by seq desc`,
    [holderId, kind],
    { name: 'auth.grants' },
  );
  const held = new Map<string, string | null>();
  for (const row of grants) if (!held.has(row.id) && isMac('resource grant', ofGrant(row), row.mac)) held.set(row.id, row.role);
  if (held.size === 0) return [];
  const permissions = await permissionsOf(db, kind);
  return [...held].flatMap(([id, role]) => {
    const given = role === null ? undefined : permissions.get(role);
    return given ? [{ permissions: given, on: { kind, id } }] : [];
  });
}

/** Returns the permissions of each role of a kind of resource. */
async function permissionsOf(db: Statements, kind: string): Promise<Map<string, readonly string[]>> {
  const rows = await db.rows<RoleRow & { mac: string | null }>(
    `select resource_kind as kind, role, permissions, since, by, mac from resource_role where resource_kind = $1 order by seq desc`,
    [kind],
    { name: 'auth.resource_roles' },
  );
  const newest = new Map<string, readonly string[]>();
  for (const row of rows)
    if (!newest.has(row.role) && isMac('resource role', ofRole(row), row.mac)) newest.set(row.role, row.permissions);
  return newest;
}
