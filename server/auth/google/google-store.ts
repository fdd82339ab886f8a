// Links between accounts and Google accounts, and the nonces of sign-ins in progress.

import { createHash, randomBytes } from 'node:crypto';
import { Problem } from '@kurs/contract';
import { type Statements, type Tx, isMac, macOf, steady } from '../../platform/index.ts';
import type { GoogleIdentity } from './google-token.ts';
import type { Holder } from '../accounts/holder.ts';
import { holderById } from '../accounts/store.ts';

type Account = Pick<GoogleIdentity, 'issuer' | 'subject'>;

/** Lifetime of a nonce, in seconds. Google's tokens have the same lifetime. */
export const NONCE_SECONDS = 3_600;

/**
 * Begins a sign-in with Google. Google puts the nonce into its token. The nonce's key stays in the browser that began the
 * sign-in. A stolen token is therefore useless in another browser.
 */
export async function makeNonce(tx: Tx): Promise<{ nonce: string; key: string }> {
  const key = randomBytes(32).toString('base64url');
  const nonce = nonceOf(key);
  await tx.run('delete from google_nonce where expires_at <= $1', [tx.now]);
  await tx.run('insert into google_nonce (nonce, expires_at) values ($1, $2)', [
    nonce,
    new Date(tx.now.getTime() + NONCE_SECONDS * 1_000),
  ]);
  return { nonce, key };
}

/** Returns the nonce that belongs to a key. */
export const nonceOf = (key: string): string => createHash('sha256').update(`google ${key}`).digest('base64url');

/** True if the nonce belongs to a sign-in in progress. */
export async function isNonceOpen(db: Statements, nonce: string, now: Date): Promise<boolean> {
  return (await db.row('select 1 from google_nonce where nonce = $1 and expires_at > $2', [nonce, now])) !== undefined;
}

/**
 * Deletes a nonce in the transaction that begins the session. Throws `google_wrong` if a concurrent request has used the nonce.
 */
export async function spendNonce(tx: Tx, nonce: string): Promise<void> {
  const spent = await tx.run('delete from google_nonce where nonce = $1 and expires_at > $2', [nonce, tx.now]);
  if (spent === 0) throw new Problem('google_wrong', { cause: 'nonce spent' });
}

const linkOf = (holderId: string, { issuer, subject }: Account): string => steady([holderId, issuer, subject]);
/** True if the link's row has a valid MAC. A link without a valid MAC is ignored. */
const isLinkAsStored = (holderId: string, account: Account, mac: string | null): boolean =>
  isMac('google account', linkOf(holderId, account), mac);

/** Returns the account that is linked to a Google account; undefined if there is none. */
export async function holderByGoogle(db: Statements, { issuer, subject }: Account): Promise<Holder | undefined> {
  const row = await db.row<{ id: string; mac: string | null }>(
    'select holder_id as id, mac from google_account where issuer = $1 and subject = $2',
    [issuer, subject],
  );
  return row && isLinkAsStored(row.id, { issuer, subject }, row.mac) ? holderById(db, row.id) : undefined;
}

/** True if the account is linked to Google: to any Google account, or to the given one. */
export async function isGoogleLinked(db: Statements, holderId: string, account?: Account): Promise<boolean> {
  const row = await db.row<Account & { mac: string | null }>(
    `select issuer, subject, mac from google_account
     where holder_id = $1 and issuer = coalesce($2, issuer) and subject = coalesce($3, subject)`,
    [holderId, account?.issuer ?? null, account?.subject ?? null],
  );
  return row !== undefined && isLinkAsStored(holderId, row, row.mac);
}

/**
 * Links a Google account to the holder's account, in place of the Google account that was linked before. Throws `google_wrong`
 * if the Google account is already linked to another account.
 */
export async function linkGoogle(tx: Tx, holderId: string, { issuer, subject }: Account): Promise<void> {
  await unlinkGoogle(tx, holderId);
  const linked = await tx.run(
    `insert into google_account (issuer, subject, holder_id, linked_at, mac) values ($1, $2, $3, $4, $5)
     on conflict (issuer, subject) do nothing`,
    [issuer, subject, holderId, tx.now, macOf('google account', linkOf(holderId, { issuer, subject }))],
  );
  if (linked === 0) throw new Problem('google_wrong', { cause: 'linked elsewhere' });
}

/** Removes the account's link to Google. Returns false if the account was not linked. */
export async function unlinkGoogle(tx: Tx, holderId: string): Promise<boolean> {
  return (await tx.run('delete from google_account where holder_id = $1', [holderId])) > 0;
}
