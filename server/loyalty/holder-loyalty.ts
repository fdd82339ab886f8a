import { type AccountHolder, type Statements, canonicalEmail } from '../platform/index.ts';
import { type LadderPosition, statusAt } from './ladder.ts';
import { ladder } from './loyalty-settings.ts';
import { turnoverOf, turnoversOf } from './turnover.ts';

/** Returns an account holder by their session. */
type Holder = Pick<AccountHolder, 'email' | 'isEmailVerified'>;

/** Returns an account holder's place on the levels by the turnover of their address: the lowest until they have proven it. */
export async function holderStatus(db: Statements, { email, isEmailVerified }: Holder): Promise<LadderPosition> {
  return statusAt(isEmailVerified ? await turnoverOf(db, email) : 0n, ladder());
}

/**
 * Returns the percentage of the fee that an account holder's discount takes off automatically; undefined for none, and without a
 * holder.
 */
export async function holderLoyalty(db: Statements, holder: Holder | undefined): Promise<number | undefined> {
  return holder && (await holderLoyalties(db, [holder]))[0];
}

/** As `holderLoyalty`, for several holders, in their order. */
export async function holderLoyalties(db: Statements, holders: readonly Holder[]): Promise<(number | undefined)[]> {
  const shown = holders.filter(({ isEmailVerified }) => isEmailVerified);
  const turnovers =
    shown.length === 0
      ? new Map<string, bigint>()
      : await turnoversOf(
          db,
          shown.map(({ email }) => email),
        );
  return holders.map(({ email, isEmailVerified }) => {
    const { percent } = statusAt(isEmailVerified ? (turnovers.get(canonicalEmail(email)) ?? 0n) : 0n, ladder());
    return percent === 0 ? undefined : percent;
  });
}
