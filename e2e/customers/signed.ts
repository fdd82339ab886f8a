import { type Client, createClient, httpTransport } from '@kurs/contract/client';
import { codeFor } from '../harness/mailbox.ts';
import type { System } from '../harness/system.ts';
import { freshEmail } from './customer.ts';

/** Account holder who is signed in. */
export interface Signed {
  readonly email: string;
  readonly token: string;
  readonly client: Client;
}

/** Options of a new account. */
export interface SignUp {
  readonly email?: string;
  /** Verification level that the sandbox grants, as if the holder's papers had been checked. */
  readonly level?: 2 | 3;
}

/** Creates an account over the API with a mailed code, and returns it signed in. */
export async function signUp(system: System, { email = freshEmail(), level }: SignUp = {}): Promise<Signed> {
  const visitor = system.client();
  const { handle } = await visitor.signUpGetOtp({ email, bot_token: 'sandbox' });
  const { access_token: token } = await visitor.signUpConfirm({ email, otp: await codeFor(system, email), handle });
  if (level !== undefined) await visitor.sandboxLevel({ email, level });
  const client = createClient(
    httpTransport({ base: system.url, clientId: system.clientId, locale: () => 'en', token: () => token }),
  );
  return { email, token, client };
}
