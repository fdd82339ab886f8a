// What each role of the desk may do: rows of `desk_role`, of which the newest of a role counts.

import { type Output, Problem, type Routes } from '@kurs/contract';
import type { Db, Statements } from '../../platform/index.ts';
import type { Person, Role } from './roles.ts';

/** The permissions of the role of a row of `operator`, as SQL; none for a role without a row. */
export const PERMISSIONS_OF_ROLE = `coalesce(
  (select permissions from desk_role where desk_role.role = operator.role order by seq desc limit 1), '{}')`;

/** The roles as they stand: their permissions, and since when and by whom they are so. */
export async function rolesView(db: Db): Promise<Output<Routes['operatorRoles']>> {
  const found = await db.rows<{ role: string; permissions: string[]; since: Date; by: string }>(
    'select distinct on (role) role, permissions, since, by from desk_role order by role, seq desc',
  );
  return found.map(({ since, ...row }) => ({ ...row, since: since.toISOString() }));
}

/** Refuses anyone who lacks a permission that a role has: nobody gives what they don't have. Throws `forbidden`. */
export async function requireAllOf(db: Statements, { permissions }: Person, role: Role): Promise<void> {
  const row = await db.row<{ permissions: string[] }>(
    'select permissions from desk_role where role = $1 order by seq desc limit 1',
    [role],
  );
  if (!row || row.permissions.some((one) => !permissions.includes(one))) throw new Problem('forbidden');
}
