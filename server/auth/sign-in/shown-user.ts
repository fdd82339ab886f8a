import { AVATARS_PATH, type Output, type Routes } from '@kurs/contract';
import { API_PREFIX, type Statements } from '../../platform/index.ts';
import { isGoogleLinked } from '../google/google-store.ts';
import type { Holder } from '../accounts/holder.ts';
import { recoveryCodesLeft } from '../factors/second-factor.ts';

/** Returns the account holder's verification level. A higher room implements this function. */
export type LevelOf = (db: Statements, holderId: string) => Promise<number>;

/** Returns an account as its holder sees it. */
export async function showUser(
  db: Statements,
  holder: Holder,
  { levelOf, now }: { levelOf: LevelOf; now: Date },
): Promise<Output<Routes['userInfo']>> {
  const freeze = holder.freeze && holder.freeze.until > now ? holder.freeze : undefined;
  return {
    id: holder.id,
    email: holder.email,
    email_verified: holder.emailVerifiedAt === undefined ? 0 : 1,
    name: holder.name,
    locale: holder.locale,
    timezone: holder.timezone,
    avatar: holder.avatarKey === undefined ? null : `${API_PREFIX}${AVATARS_PATH}/${holder.avatarKey}`,
    notifications: { order_progress: holder.hasProgressLetters },
    verification_level: await levelOf(db, holder.id),
    password_set: holder.hasPassword,
    google_linked: await isGoogleLinked(db, holder.id),
    two_factor_enabled: holder.hasSecondFactor,
    recovery_codes_left: holder.hasSecondFactor ? await recoveryCodesLeft(db, holder.id) : 0,
    closing_at: holder.closingAt?.toISOString() ?? null,
    frozen_until: freeze?.until.toISOString() ?? null,
    frozen_because: freeze?.reason ?? null,
    referral_code: holder.referralCode,
    created_at: holder.createdAt.toISOString(),
  };
}
