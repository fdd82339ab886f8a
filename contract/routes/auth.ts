import { z } from 'zod';
import { route } from '../route.ts';
import { email, time } from '../wire.ts';

const otp = z.string().regex(/^[0-9]{6}$/, { error: 'code_format' });
const botToken = z.string().max(2000, { error: 'too_long' }).optional();
const codeSent = z.object({ expires_in: z.int(), resend_in: z.int() });

export const user = z
  .object({
    id: z.uuid(),
    email: z.string(),
    email_verified: z.union([z.literal(0), z.literal(1)]),
    name: z.string(),
    locale: z.enum(['en', 'ru']),
    verification_level: z.int().min(0).max(3),
    created_at: time,
  })
  .meta({ id: 'User' });

const signedIn = z
  .object({ access_token: z.string(), user })
  .meta({ id: 'SignedIn', description: 'The token goes into `Authorization: Bearer …`; it is shown this once' });

export const signUpGetOtp = route({
  method: 'POST',
  path: '/sign-up/get-otp',
  who: 'public',
  tag: 'Account',
  summary: 'Mail a one-time code to sign up or in with; the answer is the same whether the address has an account or not',
  input: z.object({ email, bot_token: botToken }),
  output: codeSent,
  problems: ['bot_check_required', 'bot_check_failed'],
});

export const signUpConfirm = route({
  method: 'POST',
  path: '/sign-up/confirm',
  who: 'public',
  tag: 'Account',
  summary: 'Create the account of an address, or sign in to it, with the mailed code',
  input: z.object({ email, otp }),
  output: signedIn,
  problems: ['code_wrong', 'code_expired'],
});

export const userInfo = route({
  method: 'GET',
  path: '/user/info',
  who: 'user',
  tag: 'Account',
  summary: 'The account that is signed in',
  input: z.object({}),
  output: user,
  problems: [],
});

export const logout = route({
  method: 'GET',
  path: '/logout',
  who: 'user',
  tag: 'Account',
  summary: 'End this session',
  input: z.object({}),
  output: z.undefined(),
  empty: true,
  problems: [],
});
