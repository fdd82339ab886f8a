// Schemas of the codes that confirm an action: mailed codes and codes of an authenticator.

import { z } from 'zod';
import { copiedDigits } from './fields/copied-code.ts';

const sixDigits = z
  .string()
  .overwrite(copiedDigits)
  .regex(/^[0-9]{6}$/, { error: 'code_format' });

/** Schema of a mailed code. `where`: the call that mails the code, and the purpose to send with that call. */
export const mailedCode = (where: string) =>
  sixDigits.meta({ description: `Six digits mailed by ${where}. Valid once, for ten minutes and five tries` });

/** Schema of the handle that binds a mailed code to the caller who requested it, for callers who aren't signed in. */
export const codeHandle = z.string().max(100, { error: 'too_long' }).meta({
  id: 'CodeHandle',
  description:
    'Handle from the answer that announced the code; the code is valid only with it. Sent with a request for another code, it makes that code replace the first',
});

/**
 * Fields that confirm an account holder's action: an authenticator's code, or a mailed code if two-factor sign-in is off.
 * `about`: the value that the mailed code must be bound to.
 */
export const confirmingCodes = (about: string) => ({
  two_factor_code: sixDigits
    .meta({ description: 'Six digits of the authenticator, if two-factor sign-in is on; recovery codes are refused' })
    .optional(),
  otp: mailedCode(
    `\`/user/email/get-otp\` with \`purpose\` \`money_out\` and as \`about\` ${about}, if two-factor sign-in is off`,
  ).optional(),
});
