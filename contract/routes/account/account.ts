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

export const profileUpdate = route({
  method: 'POST',
  path: '/user/profile/update',
  allows: 'user',
  tag: 'Account',
  summary: 'Change what the account says of its holder, and which letters come; what is left out stays as it is',
  input: z.object({
    name: line().max(100, { error: 'too_long' }).optional(),
    locale: z.enum(['en', 'ru']).optional(),
    timezone: z
      .string()
      .max(64, { error: 'timezone_unknown' })
      .refine(isTimezone, { error: 'timezone_unknown' })
      .optional()
      .meta({ description: 'An IANA name', examples: ['Europe/Belgrade'] }),
    notifications: z
      .object({ order_progress: z.boolean() })
      .optional()
      .meta({ description: 'Letters about an order’s way. What asks for something, or is about security, always comes' }),
  }),
  output: user,
  problems: [],
});

export const lettersOff = route({
  method: 'POST',
  path: '/user/letters/off',
  allows: 'public',
  tag: 'Account',
  summary: 'Switch an account’s letters about the way of orders off, by the link that each of them names in its List-Unsubscribe',
  input: z.object({ holder: id, token }),
  output: z.object({}),
  problems: ['not_found'],
});

export const avatarRemove = route({
  method: 'POST',
  path: '/user/profile/avatar/remove',
  allows: 'user',
  tag: 'Account',
  summary: 'Take the account’s picture away',
  input: z.object({}),
  output: user,
  problems: [],
});

export const recoveryCodes = route({
  method: 'POST',
  path: '/user/profile/recovery-codes',
  allows: 'user',
  tag: 'Account',
  summary: 'Make new recovery codes, which are shown this once, by the authenticator’s code; the old ones are void',
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
    'Mail a code to the new address, and where two-factor sign-in is off another to the present one; the answer is the same whether or not an account has the new address',
  input: z.object({ email }),
  output: codeSent,
  problems: [],
});

export const emailChange = route({
  method: 'POST',
  path: '/user/email/change',
  allows: 'user',
  tag: 'Account',
  summary: 'Change the account’s address: all other sessions end, withdrawals wait for 5 days, both addresses are told',
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
  summary: 'Ask for the account to be closed: it is in 14 days, unless that is called off',
  input: z.object({
    otp: mailedCode('`/user/email/get-otp` with `purpose` `close_account`, where two-factor sign-in is off').optional(),
    two_factor_code: twoFactorCode.optional(),
  }),
  output: user,
  problems: [
    'account_has_money',
    'account_has_orders',
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
  summary: 'Keep the account open after all',
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
    'A mark that is another one whenever an order, a wallet, a deposit or a withdrawal of the caller’s has changed, or the security of the account; as a stream of server-sent events (`event: account`, the mark as its id, resumable) with `Accept: text/event-stream`',
  input: z.object({}),
  output: z.object({ mark: z.string() }),
  problems: [],
  streams: true,
});

export const userExportTicket = route({
  method: 'POST',
  path: '/user/export/ticket',
  allows: 'user',
  tag: 'Account',
  summary: 'A one-use link, good for 60 s, that downloads all that is known of the account, as JSON',
  input: z.object({}),
  output: z.object({ url: z.string(), expires_in: z.int() }),
  problems: [],
});
