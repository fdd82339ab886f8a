// Changing a role's permissions, which takes two people of the desk.

import { type Input, Problem, type Routes, fieldProblem } from '@kurs/contract';
import type { Db, Statements } from '../../platform/index.ts';
import { type RoleRow, historyOf, roleMac } from './desk-roles.ts';
import type { Person } from './roles.ts';
import { type Acted, type Wanted, actAs } from './two-people.ts';

/** Permissions that a role can't lose. Without them nobody could sign in, or undo a change of the role. */
const RETAINED: ReadonlySet<string> = new Set([
  'session.begin',
  'people.read',
  'people.change',
  'requests.read',
  'requests.consent',
]);

/**
 * Changes a role's permissions; the change applies from the next call on. Takes two people. They must have all permissions that
 * the change adds or removes, but people of the role itself may restore permissions that the desk removed. Throws `forbidden`,
 * `validation` if nothing changes or a required permission would be removed, and the errors of `actAs`.
 */
export async function changeRole(
  db: Db,
  person: Person,
  { role, permissions: requests, reason }: Input<Routes['operatorRole']>,
  key?: string,
): Promise<Acted> {
  const permissions: readonly string[] = [...new Set(requests)].sort();
  return db.tx(async (tx) => {
    const history = await historyOf(tx, role);
    const { seq, permissions: before } = history[0] ?? NO_ROW;
    const changed = [
      ...before.filter((one) => !permissions.includes(one)),
      ...permissions.filter((one) => !before.includes(one)),
    ];
    const isTheirs = (one: string): boolean => person.role === role && wasTakenByDesk(history, one);
    if (changed.some((one) => !person.permissions.includes(one) && !isTheirs(one))) throw new Problem('forbidden');
    const check = (): void => {
      if (changed.length === 0) throw fieldProblem('permissions', 'role_is_so');
      const gone = changed.find((one) => before.includes(one) && RETAINED.has(one));
      if (gone !== undefined) throw fieldProblem('permissions', 'role_keeps', { permission: gone });
    };
    const wanted: Wanted = {
      ...{ action: 'role', subject: role, reason, permission: 'people.change', people: 2 },
      ...{ body: { permissions }, about: seq, key, check },
    };
    return actAs(tx, person, wanted, async (by, action) => {
      const row = { role, permissions, by: by.join(' and '), action };
      await tx.run('insert into desk_role (role, permissions, since, by, action, mac) values ($1, $2, $3, $4, $5, $6)', [
        ...[role, permissions, tx.now, row.by, row.action, roleMac(row)],
      ]);
    });
  });
}

const NO_ROW: Pick<RoleRow, 'seq' | 'permissions'> = { seq: '0', permissions: [] };

/** True if the role had the permission until an action of the desk removed it. */
function wasTakenByDesk(history: readonly RoleRow[], permission: string): boolean {
  const had = history.findIndex(({ permissions }) => permissions.includes(permission));
  return (history[had - 1]?.action ?? null) !== null;
}

/**
 * Returns the roles whose stored history differs from the desk's actions in the audit. Ignores rows that the database's owner
 * inserted: no action made them.
 */
export async function alteredRoles(db: Statements): Promise<string[]> {
  const rows = await db.rows<{ role: string }>(
    `select distinct coalesce(desk_role.role, done.role) as role
     from (select * from desk_role where action is not null) desk_role
     full join (
       select id, subject as role, body -> 'permissions' as permissions from audit where action = 'role' and outcome = 'done'
     ) done on done.id = desk_role.action and done.role = desk_role.role and done.permissions = to_jsonb(desk_role.permissions)
     where done.id is null or desk_role.action is null order by 1`,
  );
  return rows.map(({ role }) => role);
}
