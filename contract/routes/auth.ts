import { z } from 'zod';
import { route } from '../route.ts';
import { email, time } from '../wire.ts';

const otp = z.string().regex(/^[0-9]{6}$/, { error: 'code_format' });
const botToken = z.string().max(2000, { error: 'too_long' }).optional();
const codeSent = z.object({ expires_in: z.int(), resend_in: z.int() });
/** A password that is there: whatever was once accepted. */
const password = z.string().min(1, { error: 'password_empty' }).max(200, { error: 'password_long' });
/** One that is being set; that it is no common one and not the address is for the server to say. */
const newPassword = z
  .string()
  .min(10, { error: 'password_short' })
  .max(200, { error: 'password_long' })
  .meta({ id: 'NewPassword', description: 'No common password, and not the address itself' });

export const user = z
  .object({
    id: z.uuid(),
    email: z.string(),
    email_verified: z.union([z.literal(0), z.literal(1)]),
    name: z.string(),
    locale: z.enum(['en', 'ru']),
    verification_level: z.int().min(0).max(3),
    password_set: z.boolean(),
    /** Until when no money leaves the account, and after what. */
    frozen_until: time.nullable(),
    frozen_because: z.enum(['password_reset', 'recovery_code', 'two_factor_off']).nullable(),
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
  summary: 'Create the account of an address, or sign in to it, with the mailed code; a new account may be given a password',
  input: z.object({ email, otp, password: newPassword.optional() }),
  output: signedIn,
  problems: ['code_wrong', 'code_expired'],
});

export const login = route({
  method: 'POST',
  path: '/login',
  who: 'public',
  tag: 'Account',
  summary: 'Sign in by password. After some tries from a network or for an address each costs a bot check; nobody is locked out',
  input: z.object({ email, password, bot_token: botToken }),
  output: signedIn,
  problems: ['login_wrong', 'bot_check_required', 'bot_check_failed'],
});

export const forgotPasswordGetOtp = route({
  method: 'POST',
  path: '/forgot-password/get-otp',
  who: 'public',
  tag: 'Account',
  summary: 'Mail a code to set a new password with; the answer is the same whether the address has an account or not',
  input: z.object({ email, bot_token: botToken }),
  output: codeSent,
  problems: ['bot_check_required', 'bot_check_failed'],
});

export const forgotPasswordConfirm = route({
  method: 'POST',
  path: '/forgot-password/confirm',
  who: 'public',
  tag: 'Account',
  summary: 'Set a new password with the mailed code: all other sessions end, and withdrawals wait for 3 days',
  input: z.object({ email, otp, password: newPassword }),
  output: signedIn,
  problems: ['code_wrong', 'code_expired'],
});

export const changePassword = route({
  method: 'POST',
  path: '/user/profile/change-password',
  who: 'user',
  tag: 'Account',
  summary: 'Set or change the password; all other sessions end',
  input: z.object({ current_password: password.optional(), password: newPassword }),
  output: z.undefined(),
  empty: true,
  problems: [],
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
