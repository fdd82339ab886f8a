// Helpers for tests of higher rooms, such as a holder with an authenticator.

import { writeApiKeyMacs } from './api-keys.ts';
import { type MarkedSession, sessionMac } from './accounts/session.ts';
import { type Db, type Sealer, type Statements, newId, wallClock } from '../platform/index.ts';
import { writeHolderMacs } from './accounts/holder-mac.ts';
import { beginSecondFactor } from './factors/second-factor.ts';
import { codeOfStep, stepAt } from './factors/totp.ts';

export { writeHolderMacs };

/** Inserts an account with a verified e-mail address. Returns its id. */
export async function newHolder(db: Statements): Promise<string> {
  const id = newId();
  await db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at)
     values ($1, $2, $2, clock_now(), 'en', clock_now())`,
    [id, `${id}@example.org`],
  );
  await writeHolderMacs(db);
  return id;
}

/** Recomputes the MACs of all sessions and API keys. Only for tests that write rows by SQL. */
export async function keepOpeners(db: Statements): Promise<void> {
  await writeApiKeyMacs(db);
  const rows = await db.rows<MarkedSession>(
    `select id, holder_id as "holderId", created_at as "createdAt", seen_at as "seenAt", token_hash as hash
     from session where ended_at is null`,
  );
  await db.run('update session s set mac = made.mac from unnest($1::uuid[], $2::uuid[]) as made (id, mac) where s.id = made.id', [
    rows.map(({ id }) => id),
    rows.map(sessionMac),
  ]);
}

/**
 * Switches a second factor on without a code. Returns a function that returns the authenticator's codes. `by`: number of
 * 30-second steps from now.
 */
export async function withAuthenticator(db: Db, sealer: Sealer, holderId: string): Promise<(by?: number) => string> {
  const secret = await db.tx((tx) => beginSecondFactor(tx, sealer, holderId));
  await db.run('update second_factor set enabled_at = made_at where holder_id = $1', [holderId]);
  await writeHolderMacs(db);
  return (by = 0) => codeShown(secret, by);
}

/** Returns the authenticator's code for a secret. `by`: number of 30-second steps from now. */
export const codeShown = (secret: Uint8Array, by = 0): string => codeOfStep(secret, stepAt(wallClock()) + by);
