import type { AccountHolder, Statements } from '../platform/index.ts';
import { type Standing, standingAt } from './ladder.ts';
import { ladder } from './loyalty-settings.ts';
import { turnoverOf } from './turnover.ts';

/** An account holder by their session. */
type Holder = Pick<AccountHolder, 'email' | 'emailVerified'>;

/** Where an account holder stands by what their address has turned over: at nothing, while they haven't shown to read it. */
export async function holderStanding(db: Statements, { email, emailVerified }: Holder): Promise<Standing> {
  return standingAt(emailVerified ? await turnoverOf(db, email) : 0n, ladder());
}

/** The percentage of the fee that an account holder is let off by itself; undefined for none, and for nobody. */
export async function holderLoyalty(db: Statements, holder: Holder | undefined): Promise<number | undefined> {
  if (!holder) return undefined;
  const { percent } = await holderStanding(db, holder);
  return percent === 0 ? undefined : percent;
}
