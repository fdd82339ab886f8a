// Calls by which an account holder changes the account: address, profile, picture, closing.

import { z } from 'zod';
import { mailedCode } from '../../confirming.ts';
import { line } from '../../fields/free-text.ts';
import { route } from '../../route.ts';
import { email, id, token } from '../../wire.ts';
import { codeSent, twoFactorCode, user } from './auth.ts';

/** True if this system knows the time zone. */
const isTimezone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** Schema of the name of a time zone. */
export const timezone = z
  .string()
  .max(64, { error: 'timezone_unknown' })
  .refine(isTimezone, { error: 'timezone_unknown' })
  .meta({ description: 'An IANA name', examples: ['Europe/Belgrade'] });

export const profileUpdate = route({
  method: 'POST',
  path: '/user/profile/update',
  allows: 'user',
  tag: 'Account',
  summary: 'Change the account’s profile and its choice of letters; fields that are left out stay',
  input: z.object({
    name: line().max(100, { error: 'too_long' }).optional(),
    locale: z.enum(['en', 'ru']).optional(),
    timezone: timezone.optional(),
    notifications: z.object({ order_progress: z.boolean() }).optional().meta({
      description: 'Letters about an order’s progress. Letters that need an answer or are about security are always sent',
    }),
  }),
  output: user,
  problems: [],
});

export const lettersOff = route({
  method: 'POST',
  path: '/user/letters/off',
  allows: 'public',
  tag: 'Account',
  summary: 'Switch an account’s letters about the progress of orders off, by the link in their List-Unsubscribe',
  input: z.object({ holder: id, token }),
  output: z.object({}),
  problems: ['not_found'],
});

export const avatarRemove = route({
  method: 'POST',
  path: '/user/profile/avatar/remove',
  allows: 'user',
  tag: 'Account',
  summary: 'Remove the account’s picture',
  input: z.object({}),
  output: user,
  problems: [],
});

export const recoveryCodes = route({
  method: 'POST',
  path: '/user/profile/recovery-codes',
  allows: 'user',
  tag: 'Account',
  summary: 'Make new recovery codes with the authenticator’s code. They are shown only in this answer; the old ones become void',
  input: z.object({ two_factor_code: twoFactorCode }),
  output: z.object({ recovery_codes: z.array(z.string()).length(10) }),
  problems: ['two_factor_wrong', 'two_factor_off'],
});

export const emailChangeGetOtp = route({
  method: 'POST',
  path: '/user/email/change/get-otp',
  allows: 'user',
  tag: 'Account',
  summary:
    'Mail a code to the new address and, if two-factor sign-in is off, another to the present one. The answer doesn’t reveal whether an account has the new address',
  input: z.object({ email }),
  output: codeSent,
  problems: [],
});

export const emailChange = route({
  method: 'POST',
  path: '/user/email/change',
  allows: 'user',
  tag: 'Account',
  summary: 'Change the account’s address. All other sessions end, withdrawals wait for 5 days, and both addresses are notified',
  input: z.object({
    email,
    new_otp: mailedCode('`/user/email/change/get-otp` to the new address'),
    otp: mailedCode('`/user/email/change/get-otp` to the present address, where two-factor sign-in is off').optional(),
    two_factor_code: twoFactorCode.optional(),
  }),
  output: user,
  problems: ['code_required', 'code_wrong', 'code_expired', 'two_factor_required', 'two_factor_wrong', 'record_altered'],
});

export const userClose = route({
  method: 'POST',
  path: '/user/close',
  allows: 'user',
  tag: 'Account',
  summary: 'Request the closing of the account in 14 days; it can be cancelled until then',
  input: z.object({
    otp: mailedCode('`/user/email/get-otp` with `purpose` `close_account`, where two-factor sign-in is off').optional(),
    two_factor_code: twoFactorCode.optional(),
  }),
  output: user,
  problems: [
    'account_has_money',
    'account_has_orders',
    'account_has_business',
    'account_has_stores',
    'account_has_withdrawals',
    'code_required',
    'code_wrong',
    'code_expired',
    'two_factor_required',
    'two_factor_wrong',
  ],
});

export const userCloseCancel = route({
  method: 'POST',
  path: '/user/close/cancel',
  allows: 'user',
  tag: 'Account',
  summary: 'Cancel the closing of the account',
  input: z.object({}),
  output: user,
  problems: [],
});

export const userChanges = route({
  method: 'GET',
  path: '/user/changes',
  allows: 'user',
  tag: 'Account',
  summary:
    'A token that differs after any change of the caller’s orders, wallets, deposits or withdrawals, or of the account’s security. With `Accept: text/event-stream` a stream of server-sent events (`event: account`, the token as its id, resumable)',
  input: z.object({}),
  output: z.object({ mark: z.string() }),
  problems: [],
  hasStream: true,
});

export const userExportTicket = route({
  method: 'POST',
  path: '/user/export/ticket',
  allows: 'user',
  tag: 'Account',
  summary: 'A one-use link, valid for 60 s, that downloads all data of the account as JSON',
  input: z.object({}),
  output: z.object({ url: z.string(), expires_in: z.int() }),
  problems: [],
});
