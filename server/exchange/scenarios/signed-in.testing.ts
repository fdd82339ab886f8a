import { writeHolderMacs } from '../../auth/testing.ts';
import { type Level, setLevel } from '../../compliance/index.ts';
import { type Db, newId } from '../../platform/index.ts';

/** An account holder who is signed in. */
export interface SignedIn {
  readonly id: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
}

/** Opens an account with a verified mailbox and a verification level. */
export async function openHolder(db: Db, level: Level = 1, email = `holder${newId()}@example.org`): Promise<SignedIn> {
  const id = newId();
  await db.tx(async (tx) => {
    await tx.run(
      `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at)
       values ($1, $2, $2, clock_now(), 'en', clock_now())`,
      [id, email],
    );
    await writeHolderMacs(tx);
    await setLevel(tx, id, level, 'test');
  });
  return { id, email, isEmailVerified: true };
}
