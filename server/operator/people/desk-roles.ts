// Permissions of the desk's roles, from the table `desk_role`. A role's newest valid row applies. A row is valid if the
// database's owner or an action of the desk inserted it.

import { type Output, Problem, type Routes } from '@kurs/contract';
import { type Db, type Statements, isMac, macOf, steady } from '../../platform/index.ts';
import type { Person, Role } from './roles.ts';

/** A row of a role's history. */
export interface RoleRow {
  readonly seq: string;
  readonly role: string;
  readonly permissions: readonly string[];
  readonly by: string;
  /** Id of the desk's action that changed the role. Null for rows of the database's owner, which have no MAC. */
  readonly action: string | null;
  readonly mac: string | null;
}

/** SQL: history of the role of a row of `operator`, the newest row first. */
export const ROWS_OF_ROLE = `(
  select jsonb_agg(jsonb_build_object('seq', d.seq::text, 'role', d.role, 'permissions', d.permissions, 'by', d.by, 'action', d.action, 'mac', d.mac)
    order by d.seq desc)
  from desk_role d where d.role = operator.role)`;

type Marked = Omit<RoleRow, 'seq' | 'mac'>;
const contentOf = ({ role, permissions, by, action }: Marked): string => steady([role, permissions, by, action]);

/** Returns the MAC of a role's row that an action of the desk writes. */
export const roleMac = (row: Marked): string => macOf('desk role', contentOf(row));

const isAsChanged = (row: RoleRow): boolean => row.action === null || isMac('desk role', contentOf(row), row.mac);

/**
 * Returns the row that applies: the newest that the database's owner or an action of the desk inserted. `history`: the role's
 * rows, the newest first.
 */
export const newestRole = (history: readonly RoleRow[] | null | undefined): RoleRow | undefined => history?.find(isAsChanged);

/**
 * Returns a role's history, the newest row first. Leaves out rows that neither the database's owner nor an action of the desk
 * inserted.
 */
export async function historyOf(db: Statements, role: string): Promise<RoleRow[]> {
  const row = await db.row<{ rows: RoleRow[] | null }>(`select ${ROWS_OF_ROLE} as rows from (select $1::text as role) operator`, [
    role,
  ]);
  return (row?.rows ?? []).filter(isAsChanged);
}

/** Returns each role with its current permissions, since when it has them, and who changed them. */
export async function rolesView(db: Db): Promise<Output<Routes['operatorRoles']>> {
  const found = await db.rows<RoleRow & { since: Date }>(
    'select seq::text, role, permissions, by, action, mac, since from desk_role order by role, desk_role.seq desc',
  );
  const newest = new Map<string, RoleRow & { since: Date }>();
  for (const row of found) if (!newest.has(row.role) && isAsChanged(row)) newest.set(row.role, row);
  return [...newest.values()].map(({ role, permissions, since, by }) => ({
    ...{ role, permissions: [...permissions], by },
    since: since.toISOString(),
  }));
}

/** Throws `forbidden` if the person lacks a permission of the role: nobody may give permissions that they don't have. */
export async function requireAllOf(db: Statements, { permissions }: Person, role: Role): Promise<void> {
  const [row] = await historyOf(db, role);
  if (!row || row.permissions.some((one) => !permissions.includes(one))) throw new Problem('forbidden');
}
