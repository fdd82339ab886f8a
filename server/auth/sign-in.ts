// The one place where a session begins, whatever the way in.

import type { Db, Tx } from '../platform/index.ts';
import type { Holder } from './holder.ts';
import { type Session, hashOfToken, newToken, stands } from './session.ts';
import { addSession, sessionByToken, touchSession } from './store.ts';

/** The device that asks. */
export interface Device {
  /** What its browser says of itself. */
  readonly device: string;
  readonly ip: string;
}

/** Who asks: an account holder, by a session that stands. */
export interface SignedIn {
  readonly holder: Holder;
  readonly session: Session;
}

const DEVICE_LENGTH = 300;
/** Milliseconds after which a session in use is noted as seen again. */
const SEEN_EVERY_MS = 5 * 60_000;

/** Begins a session of somebody who has shown who he is; gives its token, which is shown this once. */
export async function signIn(tx: Tx, holder: Holder, { device, ip }: Device): Promise<string> {
  const token = newToken();
  const tokenHash = hashOfToken(token) as Buffer;
  await addSession(tx, { holderId: holder.id, tokenHash, device: device.slice(0, DEVICE_LENGTH), ip });
  return token;
}

/** Who is signed in by a token; undefined for none, or a session that is over. */
export async function whoIs(db: Db, token: string): Promise<SignedIn | undefined> {
  const tokenHash = hashOfToken(token);
  const found = tokenHash && (await sessionByToken(db, tokenHash));
  if (!found) return undefined;
  const now = await db.now();
  if (!stands(found.session, now)) return undefined;
  if (now.getTime() - found.session.seenAt.getTime() >= SEEN_EVERY_MS) await touchSession(db, found.session.id, now);
  return found;
}
