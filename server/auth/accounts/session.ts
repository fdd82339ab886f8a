import { createHash, randomBytes } from 'node:crypto';

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

/** A new token: 256 random bits, so that a plain hash of it can be kept. */
export function newToken(): string {
  return `kurs_s_${randomBytes(32).toString('base64url')}`;
}

/** What is kept of a token; undefined for a text that no session ever had. */
export function hashOfToken(token: string): Buffer | undefined {
  return FORM.test(token) ? createHash('sha256').update(token).digest() : undefined;
}

/** Whether a session still stands at a moment. */
export function stands({ createdAt, seenAt }: Session, now: Date): boolean {
  const since = (from: Date): number => now.getTime() - from.getTime();
  return since(seenAt) < SESSION_DAYS.idle * DAY_MS && since(createdAt) < SESSION_DAYS.absolute * DAY_MS;
}
