import { type Client, createClient, httpTransport } from '@kurs/contract/client';
import { codeFor } from '../harness/mailbox.ts';
import type { System } from '../harness/system.ts';
import { freshEmail } from './customer.ts';

/** Somebody signed in. */
export interface Signed {
  readonly email: string;
  readonly token: string;
  readonly client: Client;
}

/** How an account is opened. */
export interface SignUp {
  readonly email?: string;
  /** The level that it gets, as if its holder's papers had been seen. */
  readonly level?: 2 | 3;
}

/** Signs up by a mailed code over the API. */
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
