// Finds signed-in account holders by a session's token, or by the session's id that one-use links store.

import { type SignedIn, whoAre, whoseSession } from '../auth/index.ts';
import { type Db, type User, gather } from '../platform/index.ts';

/** Finds signed-in account holders. Each function returns undefined if the session has ended or is unknown. */
export interface SignedInUsers {
  readonly byToken: (token: string) => Promise<User | undefined>;
  readonly bySession: (sessionId: string) => Promise<User | undefined>;
}

/** Opens the look-ups. Concurrent look-ups by token share one query. */
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
  return { id: holder.id, email: holder.email, isEmailVerified: holder.emailVerifiedAt !== undefined, sessionId: session.id };
}
