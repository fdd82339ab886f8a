import { z } from 'zod';
import { codeHandle, mailedCode } from '../../confirming.ts';
import { line } from '../../fields/free-text.ts';
import { route } from '../../route.ts';
import { copiedGroups } from '../../fields/copied-code.ts';
import { email, id, time } from '../../wire.ts';

const guardOtp = (about: string) =>
  mailedCode(`\`/user/email/get-otp\` with \`purpose\` \`guard_account\` and \`about\` \`${about}\``).optional();
/**
 * Fields of the proof that is required to change how the holder signs in, if the session isn't new: password or mailed code.
 * `about` names the change.
 */
export const onceMore = (about: string) => ({ password: password.optional(), otp: guardOtp(about) });
/** Schema of an authenticator's code or a recovery code. */
export const twoFactorCode = z
  .string()
  .overwrite(copiedGroups)
  .regex(/^([0-9]{6}|[0-9A-Z]{4}(-?[0-9A-Z]{4}){3})$/, { error: 'two_factor_format' })
  .meta({ id: 'TwoFactorCode', description: 'Six digits of an authenticator, or a recovery code', examples: ['123456'] });
const botToken = z.string().max(5000, { error: 'too_long' }).optional();
const referralCode = line().max(400, { error: 'too_long' }).optional().meta({
  description: 'The `Reference` of the newcomer; stored with the account if this opens one. Unknown codes are ignored',
});
export const codeSent = z.object({ expires_in: z.int(), resend_in: z.int() });
/** Answer about a mailed code for callers who aren't signed in. `handle` binds the code to the caller. */
const codeSentTo = codeSent.extend({ handle: codeHandle });
/** Schema of an existing password: anything that was ever accepted. */
const password = z.string().min(1, { error: 'password_empty' }).max(200, { error: 'password_long' });
/** Schema of a new password. The server also refuses common ones and the address itself. */
const newPassword = z
  .string()
  .min(10, { error: 'password_short' })
  .max(200, { error: 'password_long' })
  .meta({ id: 'NewPassword', description: 'Neither a common password nor the address itself' });

export const user = z
  .object({
    id: z.uuid(),
    email: z.string(),
    email_verified: z.union([z.literal(0), z.literal(1)]),
    name: line(),
    locale: z.enum(['en', 'ru']),
    timezone: z.string(),
    avatar: z.string().nullable().meta({ description: 'Address of the picture' }),
    notifications: z.object({ order_progress: z.boolean() }),
    verification_level: z.int().min(0).max(3),
    password_set: z.boolean(),
    google_linked: z.boolean(),
    two_factor_enabled: z.boolean(),
    recovery_codes_left: z.int().min(0).max(10),
    closing_at: time.nullable().meta({ description: 'When the account will be closed, unless that is cancelled' }),
    /** End of the time in which no money leaves the account; null if there is none. */
    frozen_until: time.nullable(),
    /** Cause of the freeze. */
    frozen_because: z.enum(['password_reset', 'recovery_code', 'two_factor_off', 'email_changed']).nullable(),
    referral_code: z
      .string()
      .meta({ description: 'The account’s code for referring others; never changes', examples: ['7F3Q2M8C'] }),
    created_at: time,
  })
  .meta({ id: 'User' });

const signedIn = z
  .object({ access_token: z.string(), user })
  .meta({ id: 'SignedIn', description: 'The token goes into `Authorization: Bearer …`; it is shown only in this answer' });

export const signUpGetOtp = route({
  method: 'POST',
  path: '/sign-up/get-otp',
  allows: 'public',
  tag: 'Account',
  summary: 'Mail a one-time code for signing up or in. The answer doesn’t reveal whether the address has an account',
  input: z.object({ email, bot_token: botToken, referral_code: referralCode, handle: codeHandle.optional() }),
  output: codeSentTo,
  problems: ['bot_check_required', 'bot_check_failed', 'bot_check_unavailable'],
});

export const signUpConfirm = route({
  method: 'POST',
  path: '/sign-up/confirm',
  allows: 'public',
  tag: 'Account',
  summary: 'Open an account for an address, or sign in to it, with the mailed code; a new account may get a password',
  input: z.object({
    email,
    otp: mailedCode('`/sign-up/get-otp`'),
    handle: codeHandle,
    password: newPassword.optional(),
    two_factor_code: twoFactorCode.optional(),
  }),
  output: signedIn,
  problems: ['code_wrong', 'code_expired', 'two_factor_required', 'two_factor_wrong', 'record_altered'],
});

export const login = route({
  method: 'POST',
  path: '/login',
  allows: 'public',
  tag: 'Account',
  summary: 'Sign in by password. After some tries from a network or for an address each costs a bot check; nobody is locked out',
  input: z.object({ email, password, two_factor_code: twoFactorCode.optional(), bot_token: botToken }),
  output: signedIn,
  problems: [
    'login_wrong',
    'record_altered',
    'two_factor_required',
    'two_factor_wrong',
    'bot_check_required',
    'bot_check_failed',
    'bot_check_unavailable',
  ],
});

/** Fields of every call that proves a Google account. */
const googleShown = {
  token_id: z
    .string()
    .min(1, { error: 'required' })
    .max(8000, { error: 'too_long' })
    .meta({ description: 'The ID token that Google’s client script gave, made with the nonce of `/google/nonce`' }),
  nonce_key: z
    .string()
    .max(100, { error: 'too_long' })
    .optional()
    .meta({ description: 'The key from the answer with the nonce; required with every token' }),
};

export const googleNonce = route({
  method: 'POST',
  path: '/google/nonce',
  allows: 'public',
  tag: 'Account',
  summary: 'Begin a sign-in with Google: a nonce for Google’s client script, and a key to it that stays in this browser',
  input: z.object({}),
  output: z.object({ nonce: z.string(), nonce_key: z.string(), expires_in: z.int() }),
  problems: ['google_off'],
});

export const googleGetOtp = route({
  method: 'POST',
  path: '/google/get-otp',
  allows: 'public',
  tag: 'Account',
  summary: 'Mail a code to the address of a Google account, to link it to the account with this address',
  input: z.object(googleShown),
  output: z.object({ email: z.string(), ...codeSent.shape }),
  problems: ['google_wrong', 'google_off', 'google_unavailable'],
});

export const googleLogin = route({
  method: 'POST',
  path: '/google/login',
  allows: 'public',
  tag: 'Account',
  summary:
    'Sign in with Google. The first time, if the address already has an account or isn’t run by Google, the mailed code ' +
    '(or the account’s password) is required in addition to the token',
  input: z.object({
    ...googleShown,
    otp: mailedCode('`/google/get-otp`').optional(),
    password: password.optional(),
    referral_code: referralCode,
    // Some front ends send an empty text and request the code only when it is needed.
    two_factor_code: z
      .union([z.literal(''), twoFactorCode], { error: 'two_factor_format' })
      .meta({ description: 'Six digits of an authenticator, or a recovery code, if two-factor sign-in is on' })
      .optional(),
  }),
  output: signedIn,
  problems: [
    'google_wrong',
    'google_proof_required',
    'google_off',
    'google_unavailable',
    'login_wrong',
    'record_altered',
    'code_wrong',
    'code_expired',
    'two_factor_required',
    'two_factor_wrong',
  ],
});

export const googleUnlink = route({
  method: 'POST',
  path: '/user/google/unlink',
  allows: 'user',
  tag: 'Account',
  summary: 'Unlink Google from the account; signing in by a mailed code still works',
  input: z.object({}),
  output: z.undefined(),
  isEmpty: true,
  problems: [],
});

export const forgotPasswordGetOtp = route({
  method: 'POST',
  path: '/forgot-password/get-otp',
  allows: 'public',
  tag: 'Account',
  summary: 'Mail a code for setting a new password. The answer doesn’t reveal whether the address has an account',
  input: z.object({ email, bot_token: botToken, referral_code: referralCode, handle: codeHandle.optional() }),
  output: codeSentTo,
  problems: ['bot_check_required', 'bot_check_failed', 'bot_check_unavailable'],
});

export const forgotPasswordConfirm = route({
  method: 'POST',
  path: '/forgot-password/confirm',
  allows: 'public',
  tag: 'Account',
  summary: 'Set a new password with the mailed code: all other sessions end, and withdrawals wait for 3 days',
  input: z.object({
    email,
    otp: mailedCode('`/forgot-password/get-otp`'),
    handle: codeHandle,
    password: newPassword,
    two_factor_code: twoFactorCode.optional(),
  }),
  output: signedIn,
  problems: ['code_wrong', 'code_expired', 'two_factor_required', 'two_factor_wrong', 'record_altered'],
});

export const changePassword = route({
  method: 'POST',
  path: '/user/profile/change-password',
  allows: 'user',
  tag: 'Account',
  summary:
    'Set or change the password; all other sessions end. The first password of an account takes a code mailed for it, unless ' +
    'the session began within ten minutes',
  input: z.object({ current_password: password.optional(), password: newPassword, otp: guardOtp('password') }),
  output: z.undefined(),
  isEmpty: true,
  problems: ['code_required', 'code_wrong', 'code_expired'],
});

export const userInfo = route({
  method: 'GET',
  path: '/user/info',
  allows: 'user',
  tag: 'Account',
  summary: 'The account that is signed in',
  input: z.object({}),
  output: user,
  problems: [],
});

const ending = {
  path: '/logout',
  allows: 'user',
  tag: 'Account',
  input: z.object({}),
  output: z.undefined(),
  isEmpty: true,
  problems: [],
} as const;

export const logout = route({ ...ending, method: 'POST', summary: 'End this session' });

export const logoutByGet = route({
  ...ending,
  method: 'GET',
  hasEffect: true,
  summary: 'End this session by GET; the same as POST',
});

export const generate2fa = route({
  method: 'POST',
  path: '/user/profile/generate2fa',
  allows: 'user',
  tag: 'Account',
  summary: 'Make a secret for an authenticator; it takes effect with `enable2fa`',
  input: z.object({}),
  output: z.object({ secret: z.string(), otpauth_url: z.string(), qr: z.string().meta({ description: 'SVG' }) }),
  problems: ['two_factor_on'],
});

export const enable2fa = route({
  method: 'POST',
  path: '/user/profile/enable2fa',
  allows: 'user',
  tag: 'Account',
  summary:
    'Switch two-factor sign-in on with the first code. Returns recovery codes, which are shown only in this answer. All other sessions end. A ' +
    'session older than ten minutes also needs the password, or a code mailed for this if none is set',
  input: z.object({ two_factor_code: twoFactorCode, password: password.optional(), otp: guardOtp('two_factor') }),
  output: z.object({ recovery_codes: z.array(z.string()).length(10) }),
  problems: ['two_factor_wrong', 'two_factor_on', 'two_factor_off', 'code_required', 'code_wrong', 'code_expired'],
});

export const disable2fa = route({
  method: 'POST',
  path: '/user/profile/disable2fa',
  allows: 'user',
  tag: 'Account',
  summary:
    'Switch two-factor sign-in off, with the password if one is set. All other sessions end, and withdrawals wait for 5 days',
  input: z.object({ two_factor_code: twoFactorCode, password: password.optional() }),
  output: z.undefined(),
  isEmpty: true,
  problems: ['two_factor_wrong', 'two_factor_off'],
});

/** Description of each `purpose`, for the OpenAPI document. */
const PURPOSES =
  '`verify_email`: the address. `money_out`: what takes money out of a wallet, shows a voucher once more or loosens the address book; `about` says what. `close_account`: closing it. `guard_account`: an authenticator, a first password or an API key; `about` says which. A code for one of them does for no other, and in no other session than the one that asked for it';

export const userEmailGetOtp = route({
  method: 'POST',
  path: '/user/email/get-otp',
  allows: 'user',
  tag: 'Account',
  summary: 'Mail a code to the account’s own address: to verify it, or to confirm an action if two-factor sign-in is off',
  input: z.object({
    purpose: z
      .enum(['verify_email', 'money_out', 'close_account', 'guard_account'])
      .default('verify_email')
      .meta({ description: PURPOSES }),
    about: z
      .string()
      .regex(/^[\w-]{1,80}$/, { error: 'id_format' })
      .optional()
      .meta({
        description:
          'The object that is confirmed. For `money_out`: a calculation’s `id`, or the `confirmation` from `/wallet/withdraw-quote` or `/wallet/confirm-about`; for `guard_account`: `two_factor`, `password` or `api_key`',
      }),
  }),
  output: codeSent,
  problems: [],
});

export const userEmailVerify = route({
  method: 'POST',
  path: '/user/email/verify',
  allows: 'user',
  tag: 'Account',
  summary: 'Verify the account’s address with the mailed code',
  input: z.object({ otp: mailedCode('`/user/email/get-otp` with `purpose` `verify_email`') }),
  output: z.object({ email_verified: z.literal(1) }),
  problems: ['code_wrong', 'code_expired'],
});

export const userSessions = route({
  method: 'GET',
  path: '/user/sessions',
  allows: 'user',
  tag: 'Account',
  summary: 'The account’s signed-in devices, last used first',
  input: z.object({}),
  output: z.array(
    z
      .object({
        id: z.uuid(),
        device: line(),
        ip: z.string(),
        created_at: time,
        seen_at: time,
        current: z.boolean().meta({ description: 'True for the session of this call' }),
      })
      .meta({ id: 'Session' }),
  ),
  problems: [],
});

export const userSessionsEnd = route({
  method: 'POST',
  path: '/user/sessions/end',
  allows: 'user',
  tag: 'Account',
  summary: 'Sign one device out',
  input: z.object({ id }),
  output: z.undefined(),
  isEmpty: true,
  problems: ['not_found'],
});

export const userSessionsEndOthers = route({
  method: 'POST',
  path: '/user/sessions/end-others',
  allows: 'user',
  tag: 'Account',
  summary: 'Sign all other devices out',
  input: z.object({}),
  output: z.undefined(),
  isEmpty: true,
  problems: [],
});
