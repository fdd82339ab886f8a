// Account holders as calls know them: by the token of a session, or by its id, which a ticket keeps.

import { type SignedIn, whoIs, whoseSession } from '../auth/index.ts';
import type { Db, User } from '../platform/index.ts';

/** Finds account holders who are signed in; each gives undefined where the session is over, or nobody's. */
export interface SignedInUsers {
  readonly byToken: (token: string) => Promise<User | undefined>;
  readonly bySession: (sessionId: string) => Promise<User | undefined>;
}

/** Looks them up in a database. */
export const signedInUsers = (db: Db): SignedInUsers => ({
  byToken: async (token) => userOf(await whoIs(db, token)),
  bySession: async (sessionId) => userOf(await whoseSession(db, sessionId)),
});

function userOf(found: SignedIn | undefined): User | undefined {
  if (!found) return undefined;
  const { holder, session } = found;
  return { id: holder.id, email: holder.email, emailVerified: holder.emailVerifiedAt !== undefined, sessionId: session.id };
}
