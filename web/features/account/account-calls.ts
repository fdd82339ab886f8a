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
import { solveInWorker } from '../bot-check/solve-in-worker.ts';
import { pageTransport } from '../client.ts';
import { failedBy } from './wrong.ts';

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

/** The proof of work that a letter costs; null where none could be made, which the server then asks for. */
export async function botToken(): Promise<string | null> {
  const challenge = await client.botChallenge({});
  return solveInWorker(challenge, AbortSignal.timeout(60_000));
}

/** Mails a code to sign in or to set a password; gives the seconds until the next. */
export async function mailCode(purpose: 'sign_in' | 'password', email: string, bot_token: string | null): Promise<number> {
  const call = purpose === 'sign_in' ? client.signUpGetOtp : client.forgotPasswordGetOtp;
  const { resend_in } = await call({ email, ...(bot_token !== null && { bot_token }) });
  return resend_in;
}

/** In by the mailed code. */
export const byCode =
  (email: string, otp: string): Attempt =>
  (code) =>
    client.signUpConfirm({ email, otp, ...second(code) });

/** In by a new password, with the mailed code. */
export const byReset =
  (email: string, otp: string, password: string): Attempt =>
  (code) =>
    client.forgotPasswordConfirm({ email, otp, password, ...second(code) });

/** What Google's button gives: a token, with the key to the nonce in it. */
export interface GoogleShown {
  readonly token_id: string;
  readonly nonce_key: string;
}

/** Begins a sign-in with Google. */
export const beginGoogle = (): ReturnType<typeof client.googleNonce> => client.googleNonce({});

/** Mails a code to the address of a Google account; gives the address, and the seconds until the next. */
export const mailGoogleCode = (shown: GoogleShown): ReturnType<typeof client.googleGetOtp> => client.googleGetOtp({ ...shown });

/** In with Google; the first time with what shows that the address is one's own. */
export const byGoogle =
  (shown: GoogleShown, proof: { otp?: string; password?: string } = {}): Attempt =>
  (code) =>
    client.googleLogin({ ...shown, ...proof, ...second(code) });

/** In by the password. Where a try costs a bot check by now, it is made. */
export function byPassword(email: string, password: string): Attempt {
  return async (code) => {
    const given = { email, password, ...second(code) };
    try {
      return await client.login(given);
    } catch (error) {
      if (!failedBy(error, 'bot_check_required')) throw error;
      const bot_token = await botToken();
      if (bot_token === null) throw error;
      return client.login({ ...given, bot_token });
    }
  };
}
