import { type AccountHolder, type Statements, canonicalEmail } from '../platform/index.ts';
import { type Standing, standingAt } from './ladder.ts';
import { ladder } from './loyalty-settings.ts';
import { turnoverOf, turnoversOf } from './turnover.ts';

/** An account holder by their session. */
type Holder = Pick<AccountHolder, 'email' | 'emailVerified'>;

/** Where an account holder stands by what their address has turned over: at nothing, while they haven't shown to read it. */
export async function holderStanding(db: Statements, { email, emailVerified }: Holder): Promise<Standing> {
  return standingAt(emailVerified ? await turnoverOf(db, email) : 0n, ladder());
}

/** The percentage of the fee that an account holder is let off by itself; undefined for none, and for nobody. */
export async function holderLoyalty(db: Statements, holder: Holder | undefined): Promise<number | undefined> {
  return holder && (await holderLoyalties(db, [holder]))[0];
}

/** As `holderLoyalty`, of several, in their order. */
export async function holderLoyalties(db: Statements, holders: readonly Holder[]): Promise<(number | undefined)[]> {
  const shown = holders.filter(({ emailVerified }) => emailVerified);
  const turnovers =
    shown.length === 0
      ? new Map<string, bigint>()
      : await turnoversOf(
          db,
          shown.map(({ email }) => email),
        );
  return holders.map(({ email, emailVerified }) => {
    const { percent } = standingAt(emailVerified ? (turnovers.get(canonicalEmail(email)) ?? 0n) : 0n, ladder());
    return percent === 0 ? undefined : percent;
  });
}
