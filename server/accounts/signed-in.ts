// Account holders as calls know them: by the token of a session, or by its id, which a ticket keeps.

import { type SignedIn, whoAre, whoseSession } from '../auth/index.ts';
import { type Db, type User, gather } from '../platform/index.ts';

/** Finds account holders who are signed in; each gives undefined where the session is over, or nobody's. */
export interface SignedInUsers {
  readonly byToken: (token: string) => Promise<User | undefined>;
  readonly bySession: (sessionId: string) => Promise<User | undefined>;
}

/** Looks them up in a database; tokens that come at the same moment together. */
export function signedInUsers(db: Db): SignedInUsers {
  const byToken = gather((tokens: readonly string[]) => whoAre(db, tokens));
  return {
    byToken: async (token) => userOf(await byToken(token)),
    bySession: async (sessionId) => userOf(await whoseSession(db, sessionId)),
  };
}

function userOf(found: SignedIn | undefined): User | undefined {
  if (!found) return undefined;
  const { holder, session } = found;
  return { id: holder.id, email: holder.email, emailVerified: holder.emailVerifiedAt !== undefined, sessionId: session.id };
}
