// What an account holder changes about the account: its address, and what it says of him.

import { z } from 'zod';
import { route } from '../route.ts';
import { email } from '../wire.ts';
import { codeSent, otp, twoFactorCode, user } from './auth.ts';

export const emailChangeGetOtp = route({
  method: 'POST',
  path: '/user/email/change/get-otp',
  who: 'user',
  tag: 'Account',
  summary:
    'Mail a code to the new address, and where two-factor sign-in is off another to the present one; the answer is the same whoever has the new address',
  input: z.object({ email }),
  output: codeSent,
  problems: [],
});

export const emailChange = route({
  method: 'POST',
  path: '/user/email/change',
  who: 'user',
  tag: 'Account',
  summary: 'Change the account’s address: all other sessions end, withdrawals wait for 5 days, both addresses are told',
  input: z.object({
    email,
    new_otp: otp.meta({ description: 'The code that was mailed to the new address' }),
    otp: otp.optional().meta({ description: 'The code that was mailed to the present address, where two-factor sign-in is off' }),
    two_factor_code: twoFactorCode.optional(),
  }),
  output: user,
  problems: ['code_required', 'code_wrong', 'code_expired', 'two_factor_required', 'two_factor_wrong'],
});
