// Bindings of the contract's calls about members of stores to this folder's verbs; no logic.

import type { Routes } from '@kurs/contract';
import type { Sender } from '../../deliveries/index.ts';
import { type Db, type Statements, type Work, answeredChange, userOf } from '../../platform/index.ts';
import { changeMember, leaveStore, removeMember } from './change-members.ts';
import type { Invitation } from './invitation.ts';
import { invite, join, withdrawInvitation } from './invite.ts';
import { invitationView, membersView, storesView } from './views.ts';

type Names =
  | 'stores'
  | 'storeMembers'
  | 'storeInvite'
  | 'storeInviteWithdraw'
  | 'storeMemberChange'
  | 'storeMemberRemove'
  | 'storeLeave'
  | 'storeJoin';

interface MemberDeps {
  readonly db: Db;
  readonly sender: Sender;
}

/** Returns the handlers of the calls about members of stores. */
export function memberRoutes({ db, sender }: MemberDeps): { [N in Names]: Work<Routes[N]> } {
  return {
    stores: (_input, context) => storesView(db, userOf(context)),
    storeMembers: ({ store }) => membersView(db, store),
    storeInvite: (input, context) =>
      answeredChange(
        db,
        context,
        (keep) => invite(db, sender, input, context, keep),
        (_read: Statements, invitation: Invitation) => Promise.resolve(invitationView(invitation)),
      ),
    async storeInviteWithdraw(input, context) {
      await withdrawInvitation(db, input, userOf(context));
    },
    async storeMemberChange(input, context) {
      await changeMember(db, input, userOf(context));
    },
    async storeMemberRemove(input, context) {
      await removeMember(db, input, userOf(context));
    },
    async storeLeave({ store }, context) {
      await leaveStore(db, store, userOf(context));
    },
    storeJoin: async (input, context) => ({ store: await join(db, input, userOf(context)) }),
  };
}
