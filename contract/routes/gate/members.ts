// Calls about a store's members: invitations, roles and removal.

import { z } from 'zod';
import { line } from '../../fields/free-text.ts';
import { STORE_PERMISSIONS } from '../../permissions.ts';
import { route } from '../../route.ts';
import { email, id, time } from '../../wire.ts';
import { invitedRole, ofStore, storeId, storeRole } from './stores.ts';

const managed = { ...ofStore, allows: 'user: members.manage' } as const;

export const storeMembers = route({
  ...managed,
  method: 'GET',
  path: '/store/:store/members',
  summary: 'A store’s members, its open invitations, and the permissions of each role',
  input: z.object(storeId),
  output: z.object({
    members: z.array(
      z.object({
        /** Id of the member's account. */
        id,
        email: z.string(),
        name: line(),
        role: storeRole,
        since: time,
        /** Valid keys of the store that the member made. */
        keys: z.array(z.object({ id, name: line(), hint: z.string() })),
      }),
    ),
    invitations: z.array(z.object({ id, email: z.string(), role: storeRole, invited_at: time, expires_at: time })),
    roles: z.array(z.object({ role: storeRole, permissions: z.array(z.enum(STORE_PERMISSIONS)) })),
  }),
  problems: [],
});

export const storeInvite = route({
  ...managed,
  method: 'POST',
  path: '/store/:store/members/invite',
  summary:
    'Invite somebody by letter. The holder of the address may accept within seven days. A new invitation replaces an open one',
  input: z.object({ ...storeId, email, role: invitedRole }),
  output: z.object({ id, email: z.string(), role: storeRole, invited_at: time, expires_at: time }),
  problems: ['store_without_members', 'rate_limited'],
  isIdempotent: true,
});

export const storeInviteWithdraw = route({
  ...managed,
  method: 'POST',
  path: '/store/:store/members/withdraw',
  summary: 'Withdraw an open invitation',
  input: z.object({ ...storeId, id }),
  output: z.undefined(),
  isEmpty: true,
  problems: ['not_found'],
});

export const storeMemberChange = route({
  ...managed,
  method: 'POST',
  path: '/store/:store/members/change',
  summary: 'Give a member another role',
  input: z.object({ ...storeId, id, role: invitedRole }),
  output: z.undefined(),
  isEmpty: true,
  problems: ['not_found'],
});

export const storeMemberRemove = route({
  ...managed,
  method: 'POST',
  path: '/store/:store/members/remove',
  summary: 'Remove a member, and revoke the named keys',
  input: z.object({ ...storeId, id, keys: z.array(id).max(100, { error: 'wrong_value' }).default([]) }),
  output: z.undefined(),
  isEmpty: true,
  problems: ['not_found'],
});

export const storeLeave = route({
  ...ofStore,
  allows: 'user: invoices.read',
  method: 'POST',
  path: '/store/:store/leave',
  summary: 'Leave a store. Its owner can’t',
  input: z.object(storeId),
  output: z.undefined(),
  isEmpty: true,
  problems: ['not_found'],
});

export const storeJoin = route({
  allows: 'user',
  tag: 'Stores',
  method: 'POST',
  path: '/stores/join',
  summary: 'Accept or decline an invitation to the caller’s address',
  input: z.object({ invitation: id, accept: z.boolean() }),
  output: z.object({ store: id }),
  problems: ['invitation_over'],
});
