import { clientOf } from '@kurs/contract/client';
import {
  botChallenge,
  forgotPasswordConfirm,
  forgotPasswordGetOtp,
  googleGetOtp,
  googleLogin,
  googleNonce,
  login,
  signUpConfirm,
  signUpGetOtp,
} from '@kurs/contract/paths';
import type { SiteData } from '../../routes/_site/site-data.ts';
import { solveInWorker } from '../bot-check/solve-in-worker.ts';
import { pageTransport } from '../api/client.ts';
import { referral } from './referral.ts';
import { failedBy } from './sign-in/wrong.ts';

/** API calls that sign in, made without a token. */
const client = clientOf(pageTransport(), {
  botChallenge,
  forgotPasswordConfirm,
  forgotPasswordGetOtp,
  googleGetOtp,
  googleLogin,
  googleNonce,
  login,
  signUpConfirm,
  signUpGetOtp,
});

/** Result of a sign-in: the session's token and the user. */
export type Entry = Awaited<ReturnType<typeof client.login>>;

/**
 * Function that signs in with a first factor that the visitor has entered. The function is called again with the second factor if
 * the account has one.
 */
export type Attempt = (two_factor_code?: string) => Promise<Entry>;

const second = (code: string | undefined): { two_factor_code?: string } => (code === undefined ? {} : { two_factor_code: code });

/**
 * Bot check that has begun, as a function that returns the check's token. It returns null if the check failed; the server then
 * refuses the call.
 */
export type BotCheck = (place: HTMLElement) => Promise<string | null>;

/**
 * Begins the bot check that is required before a letter is sent. A proof of work starts immediately, and runs while the visitor
 * types. A provider's check is shown only when its token is requested.
 */
export async function beginBotCheck({ botCheck, locale }: Pick<SiteData, 'botCheck' | 'locale'>): Promise<BotCheck> {
  const challenge = await client.botChallenge({});
  const { provider } = challenge;
  if (!provider || !botCheck) {
    const work = solveInWorker(challenge, AbortSignal.timeout(60_000));
    return () => work;
  }
  return async (place) => {
    const { askProvider } = await import('../bot-check/ask-provider.ts');
    return askProvider(provider, place, { ...botCheck, locale });
  };
}

/**
 * Makes a call with the token of a bot check. Repeats the call once, with a new token, if the server could not reach the provider
 * or requires more proof of work.
 */
export async function checked<T>(
  bot: () => Promise<string | null>,
  call: (token: { bot_token?: string }) => Promise<T>,
): Promise<T> {
  const tokenOf = (token: string | null): { bot_token?: string } => (token === null ? {} : { bot_token: token });
  try {
    return await call(tokenOf(await bot()));
  } catch (error) {
    if (failedBy(error, 'bot_check_unavailable')) return call(tokenOf(await bot()));
    if (!failedBy(error, 'bot_check_required') || error.work === undefined) throw error;
    const challenge = await client.botChallenge({ work: error.work });
    return call(tokenOf(await solveInWorker(challenge, AbortSignal.timeout(180_000))));
  }
}

/**
 * Answer to a request for a mailed code: the handle, without which the code is invalid, and the seconds until another code may be
 * requested.
 */
export type Mailed = Awaited<ReturnType<typeof client.signUpGetOtp>>;

/** Has a code mailed, to sign in or to set a password. The new code replaces the one with the same handle. */
export function mailCode(
  purpose: 'sign_in' | 'password',
  { email, handle }: { readonly email: string; readonly handle: string | undefined },
  bot: () => Promise<string | null>,
): Promise<Mailed> {
  const request = { email, ...(handle !== undefined && { handle }) };
  // Both calls open an account if the address has none, so the affiliate's reference is sent along.
  const from = { ...request, ...referral() };
  return checked(bot, (token) =>
    purpose === 'sign_in' ? client.signUpGetOtp({ ...from, ...token }) : client.forgotPasswordGetOtp({ ...from, ...token }),
  );
}

/** Mailed code with the e-mail address to which it was mailed, and the code's handle. */
export type Coded = Parameters<typeof client.signUpConfirm>[0];

/** Returns a function that signs in by a mailed code. */
export const byCode =
  (given: Pick<Coded, 'email' | 'otp' | 'handle'>): Attempt =>
  (code) =>
    client.signUpConfirm({ ...given, ...second(code) });

/** Returns a function that sets a new password by a mailed code and signs in. */
export const byReset =
  (given: Pick<Coded, 'email' | 'otp' | 'handle'>, password: string): Attempt =>
  (code) =>
    client.forgotPasswordConfirm({ ...given, password, ...second(code) });

/** Result of Google's button: Google's token, and the key that proves that this browser requested the nonce in the token. */
export interface GoogleShown {
  readonly token_id: string;
  readonly nonce_key: string;
}

/** Begins a sign-in with Google: requests a nonce. */
export const beginGoogle = (): ReturnType<typeof client.googleNonce> => client.googleNonce({});

/**
 * Has a code mailed to the address of a Google account. Returns the address and the seconds until another code may be requested.
 */
export const mailGoogleCode = (shown: GoogleShown): ReturnType<typeof client.googleGetOtp> => client.googleGetOtp({ ...shown });

/**
 * Returns a function that signs in with Google. The first sign-in of a Google account also needs a proof of the address. The call
 * always sends the second factor, as an empty text if none was entered.
 */
export const byGoogle =
  (shown: GoogleShown, proof: { otp?: string; password?: string } = {}): Attempt =>
  (two_factor_code = '') =>
    client.googleLogin({ ...shown, ...proof, ...referral(), two_factor_code });

/**
 * Returns a function that signs in by password. If the server requires a bot check, the function does the check and repeats the
 * call.
 */
export function byPassword(email: string, password: string, bot: () => Promise<string | null>): Attempt {
  return async (code) => {
    const given = { email, password, ...second(code) };
    try {
      return await client.login(given);
    } catch (error) {
      if (!failedBy(error, 'bot_check_required')) throw error;
      return checked(bot, (token) => client.login({ ...given, ...token }));
    }
  };
}
