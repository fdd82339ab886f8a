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

/** The ways in. */
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

/** What every way in gives. */
export type Entry = Awaited<ReturnType<typeof client.login>>;

/** A way in whose first factor stands; the second is added where it is asked for. */
export type Attempt = (two_factor_code?: string) => Promise<Entry>;

const second = (code: string | undefined): { two_factor_code?: string } => (code === undefined ? {} : { two_factor_code: code });

/** A bot check that has begun: gives its token; null where none could be made, which the server then asks for. */
export type BotCheck = (place: HTMLElement) => Promise<string | null>;

/**
 * Begins the bot check that a letter costs: a proof of work at once, which is done while the address is typed; a provider's
 * check is drawn only when its token is asked for.
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
 * Does what costs a bot check; once more where the provider did not answer, by a proof of work then, and where more work is
 * asked than was done.
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

/** A code that was mailed: the handle that it is good with, in this browser alone, and the seconds until the next. */
export type Mailed = Awaited<ReturnType<typeof client.signUpGetOtp>>;

/** Mails a code to sign in or to set a password; where one was mailed before, in its place. */
export function mailCode(
  purpose: 'sign_in' | 'password',
  { email, handle }: { readonly email: string; readonly handle: string | undefined },
  bot: () => Promise<string | null>,
): Promise<Mailed> {
  const asked = { email, ...(handle !== undefined && { handle }) };
  // Either opens an account where there is none.
  const from = { ...asked, ...referral() };
  return checked(bot, (token) =>
    purpose === 'sign_in' ? client.signUpGetOtp({ ...from, ...token }) : client.forgotPasswordGetOtp({ ...from, ...token }),
  );
}

/** A mailed code with whose it is. */
export type Coded = Parameters<typeof client.signUpConfirm>[0];

/** In by the mailed code. */
export const byCode =
  (given: Pick<Coded, 'email' | 'otp' | 'handle'>): Attempt =>
  (code) =>
    client.signUpConfirm({ ...given, ...second(code) });

/** In by a new password, with the mailed code. */
export const byReset =
  (given: Pick<Coded, 'email' | 'otp' | 'handle'>, password: string): Attempt =>
  (code) =>
    client.forgotPasswordConfirm({ ...given, password, ...second(code) });

/** What Google's button gives: a token, with the key to the nonce in it. */
export interface GoogleShown {
  readonly token_id: string;
  readonly nonce_key: string;
}

/** Begins a sign-in with Google. */
export const beginGoogle = (): ReturnType<typeof client.googleNonce> => client.googleNonce({});

/** Mails a code to the address of a Google account; gives the address, and the seconds until the next. */
export const mailGoogleCode = (shown: GoogleShown): ReturnType<typeof client.googleGetOtp> => client.googleGetOtp({ ...shown });

/** In with Google; the first time with what shows that the address is one's own. The code is sent empty until it is asked for. */
export const byGoogle =
  (shown: GoogleShown, proof: { otp?: string; password?: string } = {}): Attempt =>
  (two_factor_code = '') =>
    client.googleLogin({ ...shown, ...proof, ...referral(), two_factor_code });

/** In by the password. Where a try costs a bot check by now, it is made. */
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
