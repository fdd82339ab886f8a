// Handlers of the calls for signing in with Google. An account is linked to a Google account by Google's subject. The e-mail
// address is used only to find an account that is not linked yet. To link such an account, its owner must give a mailed code or
// the password.

import { Problem, type Routes } from '@kurs/contract';
import { type Context, type Tx, type Work, wallClock } from '../platform/index.ts';
import { CODE, type CodeFor, makeCode, spendCode, tryCode } from './factors/codes.ts';
import {
  holderByGoogle,
  isGoogleLinked,
  isNonceOpen,
  linkGoogle,
  makeNonce,
  NONCE_SECONDS,
  nonceOf,
  spendNonce,
  unlinkGoogle,
} from './google/google-store.ts';
import { type GoogleIdentity, readIdToken } from './google/google-token.ts';
import { type Holder, emailKey } from './accounts/holder.ts';
import { beginSession } from './sign-in/begin-session.ts';
import { queueCode, queueNotice } from './accounts/letters.ts';
import { holderByPassword } from './sign-in/log-in.ts';
import { CODES_OF_ASKER } from './factors/mailed-code.ts';
import { type AuthDeps, holderOf } from './sign-in/room.ts';
import { type FirstFactor, authorise } from './sign-in/sign-in.ts';
import { holderByEmail, holderWithMailbox } from './accounts/store.ts';

type GoogleCall = 'googleNonce' | 'googleGetOtp' | 'googleLogin' | 'googleUnlink';

/** Limit of begun sign-ins, and of received tokens, for one network in an hour. */
const OF_NETWORK = { max: 300, seconds: 3_600 };
/** Limit of wrong passwords for one Google account. */
const PASSWORDS = { max: 10, seconds: 900 };

/** Input in addition to Google's token. A code or a password is the proof for an account that isn't linked yet. */
interface GoogleInput {
  readonly otp?: string | undefined;
  readonly password?: string | undefined;
  readonly referral_code?: string | undefined;
}

/**
 * A first factor that was found right. `arrive` returns the account, in the transaction that begins the session, and opens or
 * links the account if necessary.
 */
interface GoogleProof {
  readonly first: FirstFactor;
  readonly arrive: (tx: Tx) => Promise<Holder>;
}

/**
 * Returns the name of a Google account for counters, so that tries with one Google account don't affect another Google account.
 */
const ownOf = ({ issuer, subject }: GoogleIdentity): string => `${issuer} ${subject}`;

/** Returns the mailed code for linking, which is bound to one e-mail address and one Google account. */
const codeFor = (who: GoogleIdentity): CodeFor => ({
  purpose: 'google_link',
  subject: `${emailKey(who.email)} ${ownOf(who)}`,
});

/** Returns the handlers of the calls about Google, by their names in the contract. */
export function googleRoutes(deps: AuthDeps): { [N in GoogleCall]: Work<Routes[N]> } {
  const { db, name, google } = deps;

  /**
   * Returns the identity that a token proves, and the token's nonce. Throws `google_off`, `google_wrong` or
   * `google_unavailable`.
   */
  const believed = async (
    { token_id, nonce_key }: { token_id: string; nonce_key?: string | undefined },
    { limitNetwork }: Context,
  ): Promise<{ who: GoogleIdentity; nonce: string }> => {
    if (!google) throw new Problem('google_off');
    await limitNetwork('google shown', OF_NETWORK);
    const nonce = nonceOf(nonce_key ?? '');
    if (!(await isNonceOpen(db, nonce, await db.now()))) throw new Problem('google_wrong', { cause: 'nonce not open' });
    return { who: await readIdToken(token_id, google, { nonce, now: wallClock() }), nonce };
  };

  return {
    async googleNonce(_input, { limitNetwork }) {
      if (!google) throw new Problem('google_off');
      await limitNetwork('google begun', OF_NETWORK);
      const { nonce, key } = await db.tx(makeNonce);
      return { nonce, nonce_key: key, expires_in: NONCE_SECONDS };
    },
    async googleGetOtp(input, context) {
      const { who } = await believed(input, context);
      if ((await holderByEmail(db, who.email))?.isAltered) throw new Problem('record_altered');
      await db.tx(async (tx) => {
        const code = await makeCode(tx, codeFor(who), { countedAs: `google ${ownOf(who)}`, max: CODES_OF_ASKER });
        queueCode(tx, 'google_link', { to: who.email, locale: context.locale, name, code, ip: context.ip });
      });
      return { email: who.email, expires_in: CODE.seconds, resend_in: CODE.resendSeconds };
    },
    async googleLogin({ token_id, nonce_key, two_factor_code, ...given }, context) {
      const { who, nonce } = await believed({ token_id, nonce_key }, context);
      const { first, arrive } = await shown(deps, who, given, context);
      const leave = await authorise(deps, first, two_factor_code || undefined, context.browser);
      return db.tx(async (tx) => {
        await spendNonce(tx, nonce);
        return beginSession(tx, deps, { leave, holder: await arrive(tx) }, context);
      });
    },
    async googleUnlink(_input, context) {
      const holder = await holderOf(deps, context);
      await db.tx(async (tx) => {
        if (await unlinkGoogle(tx, holder.id)) await queueNotice(tx, 'google_unlinked', { holder, name, ip: context.ip });
      });
    },
  };
}

/**
 * Returns the first factor that a Google identity and the other input prove. Throws `google_proof_required` if they don't prove
 * the account's owner. Throws `login_wrong`, `code_wrong` or `code_expired` for a wrong proof.
 */
async function shown(deps: AuthDeps, who: GoogleIdentity, given: GoogleInput, context: Context): Promise<GoogleProof> {
  // The order of these two queries matters: between them, a duplicate of this request may open the account and link it.
  const known = await holderByEmail(deps.db, who.email);
  const linked = await holderByGoogle(deps.db, who);
  if (linked) return { first: { by: 'google', holder: linked, account: who }, arrive: async () => linked };
  if (!known && who.isMailboxOfGoogle) return asNew(deps, who, given, context);
  if (given.otp !== undefined) return byCode(deps, { who, known, otp: given.otp, referralCode: given.referral_code }, context);
  if (given.password !== undefined && known?.emailVerifiedAt !== undefined)
    return byPassword(deps, { who, password: given.password }, context);
  throw new Problem('google_proof_required');
}

/** Returns the proof for a person without an account whose mailbox Google runs. `arrive` opens the account. */
function asNew(
  { signedUp }: Pick<AuthDeps, 'signedUp'>,
  who: GoogleIdentity,
  { referral_code: referralCode }: GoogleInput,
  { locale }: Context,
): GoogleProof {
  return {
    first: { by: 'google', holder: undefined, account: who },
    async arrive(tx) {
      const { holder, isNew } = await holderWithMailbox(tx, who.email, { locale, referralCode, signedUp });
      if (isNew) await linkGoogle(tx, holder.id, who);
      // The account was opened meanwhile. The account is used only if a duplicate of this request opened and linked it.
      else if (!(await isGoogleLinked(tx, holder.id, who))) throw new Problem('google_proof_required');
      return holder;
    },
  };
}

async function byCode(
  { db, name, signedUp }: AuthDeps,
  {
    who,
    known,
    otp,
    referralCode,
  }: { who: GoogleIdentity; known: Holder | undefined; otp: string; referralCode: string | undefined },
  { locale, ip }: Context,
): Promise<GoogleProof> {
  const code = codeFor(who);
  await tryCode(db, code, otp);
  return {
    first: { by: 'mailbox', holder: known },
    async arrive(tx) {
      await spendCode(tx, code);
      const { holder, isNew } = await holderWithMailbox(tx, who.email, { locale, referralCode, signedUp });
      await linkGoogle(tx, holder.id, who);
      if (!isNew) await queueNotice(tx, 'google_linked', { holder, name, ip });
      return holder;
    },
  };
}

async function byPassword(
  { db, name }: AuthDeps,
  { who, password }: { who: GoogleIdentity; password: string },
  { limit, ip }: Context,
): Promise<GoogleProof> {
  const tried = await limit(`password by Google ${ownOf(who)}`, PASSWORDS);
  const { holder, stored } = await holderByPassword(db, who.email, password);
  await tried.undo();
  return {
    first: { by: 'password', holder, stored },
    async arrive(tx) {
      await linkGoogle(tx, holder.id, who);
      await queueNotice(tx, 'google_linked', { holder, name, ip });
      return holder;
    },
  };
}
