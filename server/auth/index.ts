// Identity: account holders, their sessions, and their proofs (a mailed code, a password, a second factor).
//
// account holder   a person with an account, known by an e-mail address
// session          one signed-in device; its token is shown once and stored as an HMAC
// code             six digits by mail, for one purpose and one subject
// Google account   an account at Google used for signing in; known by its subject, linked once its holder has proved the account
// second factor    an authenticator's code, or a recovery code, required in addition to the first factor on every way in
// step-up          another proof by a signed-in account holder before an important action
// freeze           days after a reset during which no money leaves the account

export { authRoutes } from './routes.ts';
export { type Reader, letterTimes } from './accounts/letter-times.ts';
export { accountRecord } from './accounts/account-record.ts';
export { closeDue } from './changes/closing.ts';
export type { Forget, WhatIsLeft } from './accounts/leaving.ts';
export { storeAvatar, readAvatar, timezonesOf, updateProfile, withoutProgressLetters } from './accounts/profile.ts';
export { CODES_OF_ASKER } from './factors/mailed-code.ts';
export { larger, pressureOf } from './factors/pressure.ts';
export { alteredHolders } from './accounts/holder-mac.ts';
export { freezeOf, isClosed, openAmong, type Freeze } from './accounts/freeze.ts';
export { noticesSeenAt, securityChangeTokens, securityNotices, seeNotices } from './accounts/notices.ts';
export { openGoogleKeys } from './google/google-keys.ts';
export type { GoogleProvider } from './google/google-token.ts';
export { emailKey } from './accounts/holder.ts';
export { type Referrer, holderOfReference, nameReferrer, referralOf, referralsOf } from './accounts/referral.ts';
export type { Holder } from './accounts/holder.ts';
export { holderByEmail, holderById, holderIdsLike, holdersByEmail, holdersById, sessionsThatStand } from './accounts/store.ts';
export { hashOfRecovery, hashesOfRecovery, looksLikeRecovery, newRecoveryCodes } from './factors/recovery-codes.ts';
export { secondFactorSince } from './factors/second-factor.ts';
export { newSecret, otpauthUrl, stepOfCode, writtenSecret } from './factors/totp.ts';
export {
  alteredGrants,
  alteredResourceRoles,
  grantRole,
  grantedResources,
  grantsOf,
  membersOf,
  resourceRoles,
  setResourceRole,
  resourcesOf,
} from './grants.ts';
export {
  type EndingKey,
  type ListedKey,
  alteredKeysOn,
  keysOn,
  makeApiKey,
  nameOfKey,
  revokeKeysOn,
  takeEndingKeys,
  whoseKey,
} from './api-keys.ts';
export { requireRecent } from './factors/recent-confirmation.ts';
export { whoAre, whoIs, whoseSession, type SignedIn } from './sign-in/sign-in.ts';
export type { Confirming } from './factors/asker.ts';
export {
  spendStep,
  spendSteps,
  stepUp,
  stepUpAll,
  stepUpByFactor,
  type StepUpRequest,
  type SteppedUp,
} from './factors/step-up.ts';
export { CODE, defineCodePurpose, forgetCodes, handleOf, makeCode, spendCode, tryCode } from './factors/codes.ts';
