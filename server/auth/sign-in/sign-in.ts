// Begins sessions. Only this file inserts sessions, and only with a `Leave`, which `authorise` returns after checking the
// second factor.

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
  /** The browser's description of itself (User-Agent). */
  readonly device: string;
  readonly ip: string;
  /** Key of the browser from the device cookie (`Context.browser`); undefined without the cookie. */
  readonly browser?: string | undefined;
}

/** An account holder with a valid session. */
export interface SignedIn {
  readonly holder: Holder;
  readonly session: Session;
}

/**
 * The first proof of a person who signs in:
 * - `mailbox`: access to the mailbox of an e-mail address, which may have no account yet
 * - `password`: the password, whose stored hash is `stored`
 * - `google`: a Google account, which may not be linked yet
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

/** Permission to begin one session. Only `authorise` creates such a permission. */
class Leave {
  readonly first: FirstFactor;
  readonly #second: Factor | undefined;

  private constructor(first: FirstFactor, second: Factor | undefined) {
    this.first = first;
    this.#second = second;
  }

  /**
   * Checks the second factor, if the account has one. `browser`: key of the browser, by which the counter of tries is chosen.
   * Throws `two_factor_required` without a code, `record_altered`, and the errors of `tryFactor`.
   */
  static async of(
    { db, sealer }: { db: Db; sealer: Sealer },
    first: FirstFactor,
    code: string | undefined,
    browser?: string,
  ): Promise<Leave> {
    const { holder } = first;
    if (holder?.isAltered) throw new Problem('record_altered');
    // The mailbox was never verified before, so a stranger may have set up the second factor.
    if (first.by === 'mailbox' && holder?.emailVerifiedAt === undefined) return new Leave(first, undefined);
    if (!holder || !(await isSecondFactorOn(db, holder.id))) return new Leave(first, undefined);
    if (code === undefined) throw new Problem('two_factor_required');
    const whose = await trierOf(db, holder.id, browser);
    return new Leave(first, await tryFactor(db, sealer, holder.id, { code, whose }));
  }

  /**
   * Uses the result of the check in the transaction that begins the session. Throws if something has changed since the check:
   * `login_wrong` if the password was changed, `google_wrong` if the Google account isn't linked, `two_factor_required` if a
   * second factor was switched on, `two_factor_wrong` if the code was used.
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

/** Checks the second factor of a person who signs in, and returns the permission to begin a session; see `Leave.of`. */
export const authorise = Leave.of;

/**
 * Begins a session and returns its token, which is shown only this once. A recovery code also freezes withdrawals. The holder is
 * notified of a used recovery code, and of a device that is new to the account. Throws the errors of `Leave.take`.
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

/** True if the person proved more than a password, which strangers may know. */
const isProof = ({ first }: Leave, second: Factor | undefined): boolean => first.by !== 'password' || second !== undefined;

/** Returns the account holder and session of a token; undefined if the token is unknown or its session is over. */
export async function whoIs(db: Db, token: string): Promise<SignedIn | undefined> {
  return (await whoAre(db, [token]))[0];
}

/** Returns the account holder and session of each token, in the order of `tokens`. */
export async function whoAre(db: Db, tokens: readonly string[]): Promise<(SignedIn | undefined)[]> {
  const hashes = tokens.map(hashesOfToken);
  const requests = hashes.flat();
  const sessions = requests.length === 0 ? [] : await sessionsBy(db, 'token_hash', requests);
  const status = await Promise.all(sessions.map((found) => statusAt(db, found)));
  const by = new Map(requests.map((hash, at) => [hash, status[at]]));
  return hashes.map((forms) => forms.map((hash) => by.get(hash)).find((found) => found !== undefined));
}

/** Returns a session if it is still valid, and updates the time of the session's last use. */
async function statusAt(db: Db, found: FoundSession | undefined): Promise<SignedIn | undefined> {
  if (!found || !stands(found.session, found.now)) return undefined;
  const { session, now } = found;
  if (now.getTime() - session.seenAt.getTime() >= SEEN_EVERY_MS) await touchSession(db, session, now);
  return found;
}

/** Returns the account holder and session with this session id; undefined if the session is unknown or over. */
export async function whoseSession(db: Db, sessionId: string): Promise<SignedIn | undefined> {
  const [found] = await sessionsBy(db, 'id', [sessionId]);
  return found && stands(found.session, found.now) ? found : undefined;
}
