import type { Output, Routes } from '@kurs/contract';
import type { Visit } from '../../../../../../server/routing/visit.ts';
import { answered } from '../../answered.ts';
import type { InvitedRole } from '../../store-words.ts';
import { type StoreData, ownStore, storeIdOf } from '../own-store.ts';
import { KEY_BOX } from './key-box.ts';

export type Members = Output<Routes['storeMembers']>;

/** Data of the page of a store's members. */
export interface MembersData extends StoreData {
  readonly members: Members;
}

/** Loads a store's members, open invitations and roles. */
export async function load(visit: Visit): Promise<MembersData> {
  const own = await ownStore(visit, 'storeMembers');
  return { ...own, members: await visit.client.storeMembers({ store: own.store.id }) };
}

/** Invites somebody, withdraws an invitation, gives a member another role, or removes a member. */
export async function submit(visit: Visit, form: URLSearchParams): Promise<unknown> {
  const { client } = visit;
  const store = storeIdOf(visit);
  const typed = (name: string): string => form.get(name) ?? '';
  const [id, role] = [typed('id'), typed('role') as InvitedRole];
  return answered(form, () => {
    switch (typed('intent')) {
      case 'withdraw':
        return client.storeInviteWithdraw({ store, id });
      case 'change':
        return client.storeMemberChange({ store, id, role });
      case 'remove': {
        const boxes = [...form.keys()].filter((name) => name.startsWith(KEY_BOX));
        return client.storeMemberRemove({ store, id, keys: boxes.map((name) => name.slice(KEY_BOX.length)) });
      }
      default:
        return client.storeInvite({ store, email: typed('email'), role });
    }
  });
}
