// What this room offers to the tests of those above it: a holder with an authenticator.

import { type Db, type Sealer, wallClock } from '../platform/index.ts';
import { keepHolders } from './accounts/holder-mac.ts';
import { beginSecondFactor } from './factors/second-factor.ts';
import { codeOfStep, stepAt } from './factors/totp.ts';

export { keepHolders };

/** Switches a second factor on, as if its first code had been shown long ago; gives what shows its codes. */
export async function withAuthenticator(db: Db, sealer: Sealer, holderId: string): Promise<(by?: number) => string> {
  const secret = await db.tx((tx) => beginSecondFactor(tx, sealer, holderId));
  await db.run('update second_factor set enabled_at = made_at where holder_id = $1', [holderId]);
  await keepHolders(db);
  return (by = 0) => codeShown(secret, by);
}

/** What an authenticator with a secret shows, so many half minutes from now. */
export const codeShown = (secret: Uint8Array, by = 0): string => codeOfStep(secret, stepAt(wallClock()) + by);
