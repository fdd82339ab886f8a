import type { ReactNode } from 'react';
import { m } from '../../../../../../features/words.ts';
import { Icon } from '../../../../../../ui/base/icon.tsx';
import { PERMISSION_WORDS, ROLE_WORDS, type StorePermission } from '../../store-words.ts';
import css from './members.module.css';
import type { Members } from './page.server.ts';

const PERMISSIONS = Object.keys(PERMISSION_WORDS) as StorePermission[];

/** Table of permissions by role, as the API states them. */
export function RoleTable({ roles }: { roles: Members['roles'] }): ReactNode {
  return (
    <section className="card" aria-labelledby="roles-title">
      <h2 className={`card-title ${css['title']}`} id="roles-title">
        {m.members_roles()}
      </h2>
      <table className={css['roles']}>
        <thead>
          <tr>
            <th scope="col">{m.members_may()}</th>
            {roles.map(({ role }) => (
              <th scope="col" key={role}>
                {ROLE_WORDS[role]()}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {PERMISSIONS.map((permission) => (
            <tr key={permission}>
              <th scope="row">{PERMISSION_WORDS[permission]()}</th>
              {roles.map(({ role, permissions }) => (
                <td key={role} data-role={ROLE_WORDS[role]()} data-has={permissions.includes(permission) || undefined}>
                  {permissions.includes(permission) ? (
                    <>
                      <Icon name="check" size={16} />
                      <span className="sr">{m.members_yes()}</span>
                    </>
                  ) : (
                    <>
                      <span aria-hidden="true">–</span>
                      <span className="sr">{m.members_no()}</span>
                    </>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={`small soft ${css['foot']}`}>{m.members_roles_note()}</p>
    </section>
  );
}
