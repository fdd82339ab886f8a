// Rows of invitations to stores. Each has a MAC. An invitation that SQL changed gives no role.

import { type Statements, type Tx, idsOfAltered, isMac, macOf, steady } from '../../platform/index.ts';
import type { Invitation } from './invitation.ts';

interface InvitationRow extends Omit<Invitation, 'endedAt'> {
  readonly endedAt: Date | null;
  readonly mac: string | null;
}

const COLUMNS = `id, store_id as "storeId", email, email_key as "emailKey", role, invited_by as "invitedBy",
  invited_at as "invitedAt", expires_at as "expiresAt", ended_at as "endedAt", mac`;
const OPEN = 'ended_at is null and expires_at > clock_now()';

function contentOf(one: Invitation): string {
  const { id, storeId, email, emailKey, role, invitedBy, invitedAt, expiresAt, endedAt } = one;
  return steady([id, storeId, email, emailKey, role, invitedBy, invitedAt, expiresAt, endedAt ?? null]);
}

const fromRow = ({ mac: _mac, endedAt, ...row }: InvitationRow): Invitation => ({ ...row, endedAt: endedAt ?? undefined });
const isAsStored = (row: InvitationRow): boolean => isMac('store invitation', contentOf(fromRow(row)), row.mac);

/** Returns the open invitations of a store, newest first. */
export const openInvitations = (db: Statements, storeId: string): Promise<Invitation[]> =>
  believed(db, `store_id = $1 and ${OPEN}`, storeId);

/** Returns the open invitations to an e-mail address, by its key (`emailKey`), newest first. */
export const invitationsTo = (db: Statements, emailKey: string): Promise<Invitation[]> =>
  believed(db, `email_key = $1 and ${OPEN}`, emailKey);

/** Returns an invitation; undefined if there is none, or if its row was changed by SQL. */
export const invitationById = async (db: Statements, id: string): Promise<Invitation | undefined> =>
  (await believed(db, 'id = $1', id))[0];

async function believed(db: Statements, condition: string, value: string): Promise<Invitation[]> {
  const rows = await db.rows<InvitationRow>(
    `select ${COLUMNS} from store_invitation where ${condition} order by invited_at desc, id`,
    [value],
  );
  return rows.filter(isAsStored).map(fromRow);
}

/** Adds an invitation to a locked store. It replaces an open one to the same address. */
export async function addInvitation(tx: Tx, invitation: Invitation): Promise<void> {
  const { id, storeId, email, emailKey, role, invitedBy, invitedAt, expiresAt } = invitation;
  await endInvitations(tx, 'store_id = $1 and email_key = $2', [storeId, emailKey]);
  await tx.run(
    `insert into store_invitation (id, store_id, email, email_key, role, invited_by, invited_at, expires_at, mac)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [...[id, storeId, email, emailKey, role, invitedBy, invitedAt, expiresAt], macOf('store invitation', contentOf(invitation))],
  );
}

/** Ends an invitation of a locked store. */
export const endInvitation = (tx: Tx, { id }: Invitation): Promise<void> => endInvitations(tx, 'id = $1', [id]);

/** Ends the invitations to an e-mail address, by its key, and those to a store. */
export const endInvitationsOf = (
  tx: Tx,
  { emailKey, storeIds }: { readonly emailKey: string | undefined; readonly storeIds: readonly string[] },
): Promise<void> => endInvitations(tx, '(email_key = $1 or store_id = any ($2::uuid[]))', [emailKey ?? null, storeIds]);

async function endInvitations(tx: Tx, condition: string, values: readonly unknown[]): Promise<void> {
  const rows = await tx.rows<InvitationRow>(
    `select ${COLUMNS} from store_invitation where ended_at is null and ${condition} order by id for update`,
    values,
  );
  for (const row of rows) {
    const ended = { ...fromRow(row), endedAt: tx.now };
    // A row that SQL changed gets no valid MAC.
    const mac = isAsStored(row) ? macOf('store invitation', contentOf(ended)) : null;
    await tx.run('update store_invitation set ended_at = $2, mac = $3 where id = $1', [row.id, tx.now, mac]);
  }
}

/** Returns the ids of invitations whose rows were changed by SQL. */
export const alteredInvitations = (db: Statements): Promise<string[]> =>
  idsOfAltered(
    (behind, max) =>
      db.rows<InvitationRow>(`select ${COLUMNS} from store_invitation where $1::uuid is null or id > $1 order by id limit $2`, [
        behind ?? null,
        max,
      ]),
    isAsStored,
  );
