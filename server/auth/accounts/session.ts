import { randomBytes } from 'node:crypto';
import { isMac, macOf, secretHash, secretHashes, steady } from '../../platform/index.ts';

/** A device that somebody is signed in on. */
export interface Session {
  readonly id: string;
  readonly holderId: string;
  readonly createdAt: Date;
  readonly seenAt: Date;
}

/** Days without a sign of life, and days altogether, after which a session is over. */
export const SESSION_DAYS = { idle: 30, absolute: 90 } as const;

const DAY_MS = 86_400_000;
const FORM = /^kurs_s_[\w-]{43}$/;

/** A new token: 256 random bits. */
export function newToken(): string {
  return `kurs_s_${randomBytes(32).toString('base64url')}`;
}

/** Returns the form in which a token is stored. */
export const hashOfToken = (token: string): Buffer => secretHash('session', token);

/** Returns the forms in which a token may be stored; none for a text that no session ever had. */
export const hashesOfToken = (token: string): Buffer[] => (FORM.test(token) ? secretHashes('session', token) : []);

/** What a session's MAC covers: whose it is, by which token, since when, and when it was seen last. */
export interface MarkedSession extends Session {
  readonly hash: Buffer;
}

const contentOf = ({ id, holderId, createdAt, seenAt, hash }: MarkedSession): string =>
  steady([id, holderId, createdAt, seenAt, hash.toString('hex')]);

/** Returns the MAC of a session that begins. A session that has ended has none. */
export const sessionMac = (session: MarkedSession): string => macOf('session', contentOf(session));

/** False for a session that was put in, moved to another account, begun or seen later or called unended past the product. */
export const isSessionAsBegun = (session: MarkedSession, mac: string | null): boolean =>
  isMac('session', contentOf(session), mac);

/** Whether a session still stands at a moment. */
export function stands({ createdAt, seenAt }: Session, now: Date): boolean {
  const since = (from: Date): number => now.getTime() - from.getTime();
  return since(seenAt) < SESSION_DAYS.idle * DAY_MS && since(createdAt) < SESSION_DAYS.absolute * DAY_MS;
}
