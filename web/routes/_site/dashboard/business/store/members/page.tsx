import type { ReactNode } from 'react';
import { useActionData, useLoaderData } from 'react-router';
import { m } from '../../../../../../features/words.ts';
import { Message } from '../../../../../../ui/parts/message.tsx';
import type { Closed } from '../../../../../closed.ts';
import type { FormAnswer } from '../../answered.ts';
import { StorePage } from '../store-head.tsx';
import { InviteForm } from './invite-form.tsx';
import { MemberList } from './member-list.tsx';
import css from './members.module.css';
import { OpenInvitations } from './open-invitations.tsx';
import type { Members, MembersData } from './page.server.ts';
import { RoleTable } from './role-table.tsx';

/** Members of a store, open invitations, and the permissions of each role. */
export default function StoreMembersPage(): ReactNode {
  const data = useLoaderData<MembersData | Closed>();
  return (
    <StorePage page="storeMembers" data={data}>
      {({ members: { members, invitations, roles } }) => (
        <div className={css['stack']}>
          <Result />
          <MemberList members={ownerFirst(members)} />
          <div className={css['group']}>
            {invitations.length > 0 && <OpenInvitations invitations={invitations} />}
            <InviteForm />
          </div>
          <RoleTable roles={roles} />
        </div>
      )}
    </StorePage>
  );
}

type Member = Members['members'][number];

const ownerFirst = (members: readonly Member[]): readonly Member[] => [
  ...members.filter(({ role }) => role === 'owner'),
  ...members.filter(({ role }) => role !== 'owner'),
];

/** Result of the last change of a member or an invitation. The form of invitations shows its own result. */
function Result(): ReactNode {
  const answer = useActionData<FormAnswer | null>();
  if (!answer || answer.of === 'invite') return null;
  if (answer.message !== undefined) return <Message tone="error" isLive title={answer.message} />;
  const done = {
    withdraw: m.members_withdrawn(),
    change: m.members_changed(),
    remove: m.members_removed(),
  }[answer.of];
  return <Message tone="success" isLive title={done} />;
}
