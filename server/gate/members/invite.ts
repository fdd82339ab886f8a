// Invitations: sent by letter, withdrawn, accepted and declined.

import { type Input, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { emailKey, grantRole, holderByEmail, membersOf } from '../../auth/index.ts';
import { type Sender, mail } from '../../deliveries/index.ts';
import { type Context, type Db, type KeepAnswer, type Tx, type User, newId, userOf } from '../../platform/index.ts';
import { asResource } from '../stores/store.ts';
import { lockStore } from '../stores/store-rows.ts';
import { type Invitation, MAX_OPEN, OPEN_DAYS, isOpen } from './invitation.ts';
import { addInvitation, endInvitation, invitationById, openInvitations } from './invitation-rows.ts';
import { queueInvitation } from './letters.ts';
import { lockAsMember } from './membership.ts';

const DAY_MS = 86_400_000;
/** Maximum number of invitations (`max`) that an account may send within `seconds`: in all, and to one address. */
const SENT = { max: 30, seconds: 3_600 };
const SENT_TO_ONE = { max: 5, seconds: 86_400 };
const DAY_S = 86_400;

/**
 * Invites the holder of an e-mail address to a store, by letter. Replaces an open invitation of the store to this address. Throws
 * `store_without_members`, `rate_limited`, and `validation` on `email` for a present member, or for too many open invitations.
 * An address without an account gets at most three letters a day, like each that anybody can have typed.
 * `keep`: stores the answer of the call with the invitation.
 */
export async function invite(
  db: Db,
  sender: Sender,
  { store: storeId, email, role }: Input<Routes['storeInvite']>,
  context: Context,
  keep?: KeepAnswer<Invitation>,
): Promise<Invitation> {
  const by = userOf(context);
  await context.limit(`invitations of ${by.id}`, SENT);
  await context.limit(`invitations of ${by.id} to ${emailKey(email)}`, SENT_TO_ONE);
  return db.tx(async (tx) => {
    const { store } = await lockAsMember(tx, { storeId, holderId: by.id, wanted: 'members.manage' });
    const key = emailKey(email);
    const holder = await holderByEmail(tx, email);
    const members = await membersOf(tx, asResource(store));
    if (members.some(({ holderId }) => holderId === holder?.id)) throw fieldProblem('email', 'already_member');
    const others = (await openInvitations(tx, store.id)).filter((one) => one.emailKey !== key);
    if (others.length >= MAX_OPEN) throw fieldProblem('email', 'invitations_too_many', { max: String(MAX_OPEN) });
    const invitation: Invitation = {
      ...{ id: newId(), storeId: store.id, email: email.trim(), emailKey: key, role, invitedBy: by.id },
      ...{ invitedAt: tx.now, expiresAt: new Date(tx.now.getTime() + OPEN_DAYS * DAY_MS), endedAt: undefined },
    };
    await addInvitation(tx, invitation);
    const [letter] = holder ? [`invitation ${invitation.id}`] : await mail.freeKeys(tx, email);
    if (letter === undefined) throw new Problem('rate_limited', { retryAfter: DAY_S });
    if (holder?.isAltered !== true)
      queueInvitation(tx, sender, invitation, { letter, store, by: by.email, reader: holder ?? { locale: context.locale } });
    await keep?.(tx, invitation);
    return invitation;
  });
}

/** Withdraws an open invitation of a store. Throws `not_found` if there is none with this id. */
export async function withdrawInvitation(
  db: Db,
  { store: storeId, id }: Input<Routes['storeInviteWithdraw']>,
  { id: holderId }: User,
): Promise<void> {
  await db.tx(async (tx) => {
    const { store } = await lockAsMember(tx, { storeId, holderId, wanted: 'members.manage' });
    const invitation = (await openInvitations(tx, store.id)).find((one) => one.id === id);
    if (!invitation) throw new Problem('not_found');
    await endInvitation(tx, invitation);
  });
}

/**
 * Accepts or declines an invitation to the caller's verified address. Returns the store's id. Throws `invitation_over` for any
 * other invitation: another's, an expired, ended or altered one.
 */
export async function join(db: Db, { invitation: id, accept }: Input<Routes['storeJoin']>, user: User): Promise<string> {
  return db.tx(async (tx) => {
    const invitation = await lockInvitation(tx, id, user);
    await endInvitation(tx, invitation);
    const { storeId, role, invitedBy } = invitation;
    if (accept) await grantRole(tx, { holderId: user.id, on: asResource({ id: storeId }), role, by: invitedBy });
    return storeId;
  });
}

/** Locks the store of an invitation, and reads the invitation under that lock. Throws `invitation_over`. */
async function lockInvitation(tx: Tx, id: string, { id: holderId, email, isEmailVerified }: User): Promise<Invitation> {
  const before = await invitationById(tx, id);
  if (!before) throw new Problem('invitation_over');
  const store = await lockStore(tx, before.storeId);
  const invitation = await invitationById(tx, id);
  const isTheirs = isEmailVerified && invitation?.emailKey === emailKey(email);
  if (!invitation || !isTheirs || !isOpen(invitation, tx.now) || store.holderId === holderId)
    throw new Problem('invitation_over');
  return invitation;
}
