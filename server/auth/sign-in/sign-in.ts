// Beginning a session. No other file inserts sessions, and none begins without a `Leave`, which `authorise` grants after checking
// the second factor.

import { Problem } from '@kurs/contract';
import { type Db, type Sealer, type Tx, newId } from '../../platform/index.ts';
import { trierOf } from '../factors/asker.ts';
import { freeze } from '../accounts/freeze.ts';
import { isGoogleLinked } from '../google/google-store.ts';
import type { GoogleIdentity } from '../google/google-token.ts';
import type { Holder } from '../accounts/holder.ts';
import { queueNotice } from '../accounts/letters.ts';
import { type Factor, isSecondFactorOn, lockHolder, spendFactor, tryFactor } from '../factors/second-factor.ts';
import { type Session, hashOfToken, hashesOfToken, newToken, sessionMac, stands } from '../accounts/session.ts';
import { type FoundSession, isNewDevice, storedHash, sessionsBy, touchSession } from '../accounts/store.ts';

/** The device that signs in. */
export interface Device {
  /** The browser's own description (User-Agent). */
  readonly device: string;
  readonly ip: string;
  /** Id of the browser from our cookie; undefined without one. */
  readonly browser?: string | undefined;
}

/** An account holder with a valid session. */
export interface SignedIn {
  readonly holder: Holder;
  readonly session: Session;
}

/**
 * The proof that came first: access to a mailbox (of an address that may have no account yet), a password with its stored hash,
 * or a Google account (which may not be linked yet).
 */
export type FirstFactor =
  | { readonly by: 'mailbox'; readonly holder: Holder | undefined }
  | { readonly by: 'password'; readonly holder: Holder; readonly stored: string }
  | {
      readonly by: 'google';
      readonly holder: Holder | undefined;
      readonly account: Pick<GoogleIdentity, 'issuer' | 'subject'>;
    };

const DEVICE_LENGTH = 300;
/** Minimum time between two updates of a session's last use, in ms. */
const SEEN_EVERY_MS = 5 * 60_000;

/** Permission to begin one session. Only `authorise` creates one. */
class Leave {
  readonly first: FirstFactor;
  readonly #second: Factor | undefined;

  private constructor(first: FirstFactor, second: Factor | undefined) {
    this.first = first;
    this.#second = second;
  }

  /**
   * Checks the second factor if the account has one; `browser` selects the counter of tries. Throws `two_factor_required` without
   * a code, `record_altered`, and as `tryFactor`.
   */
  static async of(
    { db, sealer }: { db: Db; sealer: Sealer },
    first: FirstFactor,
    code: string | undefined,
    browser?: string,
  ): Promise<Leave> {
    const { holder } = first;
    if (holder?.isAltered) throw new Problem('record_altered');
    // The account's mailbox was never verified before, so any second factor was set up by somebody else.
    if (first.by === 'mailbox' && holder?.emailVerifiedAt === undefined) return new Leave(first, undefined);
    if (!holder || !(await isSecondFactorOn(db, holder.id))) return new Leave(first, undefined);
    if (code === undefined) throw new Problem('two_factor_required');
    const whose = await trierOf(db, holder.id, browser);
    return new Leave(first, await tryFactor(db, sealer, holder.id, { code, whose }));
  }

  /**
   * Uses the permission in the transaction of the session. Throws if its facts have changed: `login_wrong` after a change of the
   * password, `google_wrong` if the Google account isn't linked, `two_factor_required` if a second factor is new,
   * `two_factor_wrong` if the code was used.
   */
  async take(tx: Tx, holderId: string): Promise<Factor | undefined> {
    await lockHolder(tx, holderId);
    if (this.first.holder !== undefined && this.first.holder.id !== holderId) throw new Error('a leave is of another account');
    if (this.first.by === 'password' && (await storedHash(tx, holderId)) !== this.first.stored) throw new Problem('login_wrong');
    if (this.first.by === 'google' && !(await isGoogleLinked(tx, holderId, this.first.account)))
      throw new Problem('google_wrong', { cause: 'not linked' });
    if (this.#second) await spendFactor(tx, holderId, this.#second);
    else if (await isSecondFactorOn(tx, holderId)) throw new Problem('two_factor_required');
    return this.#second;
  }
}
export type { Leave };

/** Checks the factors of a person who signs in; see `Leave.of`. */
export const authorise = Leave.of;

/**
 * Begins a session and returns its token, which is shown only this once. A recovery code freezes withdrawals. Its use, and a
 * device that is new to the account, are notified by letter. Throws as `Leave.take`.
 */
export async function signIn(
  tx: Tx,
  leave: Leave,
  { holder, device, ip, browser, name }: Device & { holder: Holder; name: string },
): Promise<string> {
  const second = await leave.take(tx, holder.id);
  if (second?.by === 'recovery') {
    await queueNotice(tx, 'recovery_used', { holder, name, ip, freeze: await freeze(tx, holder.id, 'recovery_code') });
  }
  const named = device.slice(0, DEVICE_LENGTH);
  if (await isNewDevice(tx, holder.id, named)) await queueNotice(tx, 'new_device', { holder, name, ip });
  const token = newToken();
  const begun = { id: newId(), holderId: holder.id, createdAt: tx.now, seenAt: tx.now, hash: hashOfToken(token) };
  await tx.run(
    `insert into session (id, holder_id, token_hash, device, ip, created_at, seen_at, browser, proved_at, mac)
     values ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9)`,
    [
      ...[begun.id, begun.holderId, begun.hash, named, ip, begun.createdAt, browser ?? null],
      ...[isProof(leave, second) ? tx.now : null, sessionMac(begun)],
    ],
  );
  return token;
}

/** True if the session began with more than a password, which others may know. */
const isProof = ({ first }: Leave, second: Factor | undefined): boolean => first.by !== 'password' || second !== undefined;

/** Returns the signed-in person of a token; undefined for an unknown token or an ended session. */
export async function whoIs(db: Db, token: string): Promise<SignedIn | undefined> {
  return (await whoAre(db, [token]))[0];
}

/** Returns the signed-in person of each token, in the same order. */
export async function whoAre(db: Db, tokens: readonly string[]): Promise<(SignedIn | undefined)[]> {
  const hashes = tokens.map(hashesOfToken);
  const requests = hashes.flat();
  const sessions = requests.length === 0 ? [] : await sessionsBy(db, 'token_hash', requests);
  const status = await Promise.all(sessions.map((found) => statusAt(db, found)));
  const by = new Map(requests.map((hash, at) => [hash, status[at]]));
  return hashes.map((forms) => forms.map((hash) => by.get(hash)).find((found) => found !== undefined));
}

/** Returns the session if it is still valid, and updates the time of its last use. */
async function statusAt(db: Db, found: FoundSession | undefined): Promise<SignedIn | undefined> {
  if (!found || !stands(found.session, found.now)) return undefined;
  const { session, now } = found;
  if (now.getTime() - session.seenAt.getTime() >= SEEN_EVERY_MS) await touchSession(db, session, now);
  return found;
}

/** Returns the signed-in person of a session's id; undefined if the session is unknown or over. */
export async function whoseSession(db: Db, sessionId: string): Promise<SignedIn | undefined> {
  const [found] = await sessionsBy(db, 'id', [sessionId]);
  return found && stands(found.session, found.now) ? found : undefined;
}
