import { randomBytes } from 'node:crypto';
import { isMac, macOf, secretHash, secretHashes, steady } from '../../platform/index.ts';

/** A signed-in device. */
export interface Session {
  readonly id: string;
  readonly holderId: string;
  readonly createdAt: Date;
  readonly seenAt: Date;
}

/** Number of days without use (`idle`), and in total (`absolute`), after which a session ends. */
export const SESSION_DAYS = { idle: 30, absolute: 90 } as const;

const DAY_MS = 86_400_000;
const FORM = /^kurs_s_[\w-]{43}$/;

/** Returns a new session token with 256 random bits. */
export function newToken(): string {
  return `kurs_s_${randomBytes(32).toString('base64url')}`;
}

/** Returns the hash under which a session token is stored. */
export const hashOfToken = (token: string): Buffer => secretHash('session', token);

/**
 * Returns the hashes under which a session token may be stored, one for each version of the server's key. Returns none for a
 * text that isn't a token.
 */
export const hashesOfToken = (token: string): Buffer[] => (FORM.test(token) ? secretHashes('session', token) : []);

/** The columns that a session's MAC covers. */
export interface MarkedSession extends Session {
  readonly hash: Buffer;
}

const contentOf = ({ id, holderId, createdAt, seenAt, hash }: MarkedSession): string =>
  steady([id, holderId, createdAt, seenAt, hash.toString('hex')]);

/** Returns the MAC of an open session. An ended session has no MAC. */
export const sessionMac = (session: MarkedSession): string => macOf('session', contentOf(session));

/**
 * True if the MAC of the session's row is right. False if the row was inserted, moved to another account, prolonged or reopened
 * outside the product.
 */
export const isSessionAsBegun = (session: MarkedSession, mac: string | null): boolean =>
  isMac('session', contentOf(session), mac);

/** True if the session has not expired at the given moment. */
export function stands({ createdAt, seenAt }: Session, now: Date): boolean {
  const since = (from: Date): number => now.getTime() - from.getTime();
  return since(seenAt) < SESSION_DAYS.idle * DAY_MS && since(createdAt) < SESSION_DAYS.absolute * DAY_MS;
}
