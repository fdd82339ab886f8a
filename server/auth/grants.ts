// What account holders may do with resources of others: roles, and who has which of them where.
//
// The room that owns a kind of resource states its roles and grants them; calls about such a resource ask for the permissions
// (`allows: 'user: …'`, `about`). Both are histories, of which the newest row counts at the next call.

import type { Scope } from '@kurs/contract';
import type { Grant, Resource, Statements, Tx } from '../platform/index.ts';

/** Who does it, as the history tells: an account holder's id, a person of the desk, or `installation`. */
interface By {
  readonly by: string;
}

/** States what a role may do with resources of a kind, from now on, for all who have it. */
export async function setResourceRole(
  tx: Tx,
  { kind, role, permissions, by }: By & { readonly kind: string; readonly role: string; readonly permissions: readonly Scope[] },
): Promise<void> {
  await tx.run(`insert into resource_role (resource_kind, role, permissions, since, by) values ($1, $2, $3, $4, $5)`, [
    ...[kind, role, [...new Set(permissions)], tx.now, by],
  ]);
}

/** Gives an account holder a role on a resource in place of the one that they have there; without a role they have none any more. */
export async function grantRole(
  tx: Tx,
  { holderId, on, role, by }: By & { readonly holderId: string; readonly on: Resource; readonly role?: string | undefined },
): Promise<void> {
  await tx.run(
    `insert into resource_grant (holder_id, resource_kind, resource_id, role, since, by) values ($1, $2, $3, $4, $5, $6)`,
    [holderId, on.kind, on.id, role ?? null, tx.now, by],
  );
}

/** What an account holder may do with resources of a kind: a grant for each on which they have a role. */
export async function grantsOf(db: Statements, holderId: string, kind: string): Promise<readonly Grant[]> {
  const rows = await db.rows<{ id: string; permissions: string[] }>(
    `select held.resource_id as id, r.permissions from (
       select distinct on (resource_id) resource_id, role from resource_grant
       where holder_id = $1 and resource_kind = $2 order by resource_id, seq desc) as held
     cross join lateral (select permissions from resource_role
       where resource_kind = $2 and role = held.role order by seq desc limit 1) as r`,
    [holderId, kind],
    { name: 'auth.grants' },
  );
  return rows.map(({ id, permissions }) => ({ permissions, on: { kind, id } }));
}
