// The one place where a session begins, whatever the way in: no other file writes a session, and none begins without what
// `authorise` gives, which has seen the second factor of the account.

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
import { type FoundSession, isNewDevice, keptPassword, sessionsBy, touchSession } from '../accounts/store.ts';

/** The device that asks. */
export interface Device {
  /** What its browser says of itself. */
  readonly device: string;
  readonly ip: string;
  /** By our cookie in it; undefined where there is none. */
  readonly browser?: string | undefined;
}

/** Who asks: an account holder, by a session that stands. */
export interface SignedIn {
  readonly holder: Holder;
  readonly session: Session;
}

/**
 * What was shown first: that one reads a mailbox (for an address without an account, of nobody yet), a password, by the
 * text that is kept of it, or a Google account, which is the holder's (or of nobody yet) by its subject.
 */
export type FirstFactor =
  | { readonly by: 'mailbox'; readonly holder: Holder | undefined }
  | { readonly by: 'password'; readonly holder: Holder; readonly kept: string }
  | {
      readonly by: 'google';
      readonly holder: Holder | undefined;
      readonly account: Pick<GoogleIdentity, 'issuer' | 'subject'>;
    };

const DEVICE_LENGTH = 300;
/** Milliseconds after which a session in use is noted as seen again. */
const SEEN_EVERY_MS = 5 * 60_000;

/** Leave to begin one session. Only `authorise` makes it. */
class Leave {
  readonly first: FirstFactor;
  readonly #second: Factor | undefined;

  private constructor(first: FirstFactor, second: Factor | undefined) {
    this.first = first;
    this.#second = second;
  }

  /**
   * For an action of an account: asks for the second factor where the account has one, in the browser that is known so. Throws
   * `two_factor_required` without, `record_altered`, and as `tryFactor` does.
   */
  static async of(
    { db, sealer }: { db: Db; sealer: Sealer },
    first: FirstFactor,
    code: string | undefined,
    browser?: string,
  ): Promise<Leave> {
    const { holder } = first;
    if (holder?.isAltered) throw new Problem('record_altered');
    // Who shows for the first time that they read the mailbox of an account never had a second factor there.
    if (first.by === 'mailbox' && holder?.emailVerifiedAt === undefined) return new Leave(first, undefined);
    if (!holder || !(await isSecondFactorOn(db, holder.id))) return new Leave(first, undefined);
    if (code === undefined) throw new Problem('two_factor_required');
    const whose = await trierOf(db, holder.id, browser);
    return new Leave(first, await tryFactor(db, sealer, holder.id, { code, whose }));
  }

  /**
   * Takes the leave up in the transaction of the session. Throws where what it was given for holds no more: `login_wrong` for
   * a password that was changed, `google_wrong` for a Google account that isn't linked, `two_factor_required` for a second
   * factor that is new, `two_factor_wrong` for one that was spent.
   */
  async take(tx: Tx, holderId: string): Promise<Factor | undefined> {
    await lockHolder(tx, holderId);
    if (this.first.holder !== undefined && this.first.holder.id !== holderId) throw new Error('a leave is of another account');
    if (this.first.by === 'password' && (await keptPassword(tx, holderId)) !== this.first.kept) throw new Problem('login_wrong');
    if (this.first.by === 'google' && !(await isGoogleLinked(tx, holderId, this.first.account)))
      throw new Problem('google_wrong', { cause: 'not linked' });
    if (this.#second) await spendFactor(tx, holderId, this.#second);
    else if (await isSecondFactorOn(tx, holderId)) throw new Problem('two_factor_required');
    return this.#second;
  }
}
export type { Leave };

/** Sees the factors of anyone who wants to sign in. See `Leave.of`. */
export const authorise = Leave.of;

/**
 * Begins a session by a leave; gives its token, which is shown this once. A recovery code freezes withdrawals and is told of by
 * letter, and so is a device that the account was never used on. Throws as `Leave.take` does.
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

/** Whether what began a session is more than a password, which others may know. */
const isProof = ({ first }: Leave, second: Factor | undefined): boolean => first.by !== 'password' || second !== undefined;

/** Who is signed in by a token; undefined for none, or a session that is over. */
export async function whoIs(db: Db, token: string): Promise<SignedIn | undefined> {
  return (await whoAre(db, [token]))[0];
}

/** Who is signed in by each of these tokens, in their order. */
export async function whoAre(db: Db, tokens: readonly string[]): Promise<(SignedIn | undefined)[]> {
  const hashes = tokens.map(hashesOfToken);
  const asked = hashes.flat();
  const sessions = asked.length === 0 ? [] : await sessionsBy(db, 'token_hash', asked);
  const standing = await Promise.all(sessions.map((found) => standingAt(db, found)));
  const by = new Map(asked.map((hash, at) => [hash, standing[at]]));
  return hashes.map((forms) => forms.map((hash) => by.get(hash)).find((found) => found !== undefined));
}

/** What was found where it still stands; one in use is noted as seen. */
async function standingAt(db: Db, found: FoundSession | undefined): Promise<SignedIn | undefined> {
  if (!found || !stands(found.session, found.now)) return undefined;
  const { session, now } = found;
  if (now.getTime() - session.seenAt.getTime() >= SEEN_EVERY_MS) await touchSession(db, session, now);
  return found;
}

/** Who is signed in by a session of this id; undefined for none, or one that is over. */
export async function whoseSession(db: Db, sessionId: string): Promise<SignedIn | undefined> {
  const [found] = await sessionsBy(db, 'id', [sessionId]);
  return found && stands(found.session, found.now) ? found : undefined;
}
