// Codes that confirm an action: their form, their source, and what each is valid for.

import { z } from 'zod';
import { copiedDigits } from './fields/copied-code.ts';

const sixDigits = z
  .string()
  .overwrite(copiedDigits)
  .regex(/^[0-9]{6}$/, { error: 'code_format' });

/** Schema of a mailed code. `where` names the call that mails it, and its purpose. */
export const mailedCode = (where: string) =>
  sixDigits.meta({ description: `Six digits mailed by ${where}. Valid once, for ten minutes and five tries` });

/** Binds a mailed code to its requester if nobody is signed in. */
export const codeHandle = z.string().max(100, { error: 'too_long' }).meta({
  id: 'CodeHandle',
  description:
    'Handle from the answer that announced the code; the code is valid only with it. Sent with a request for another code, it makes that code replace the first',
});

/** Fields that confirm an account holder's action: one of the two. `about` is what the mailed code must be bound to. */
export const confirmingCodes = (about: string) => ({
  two_factor_code: sixDigits
    .meta({ description: 'Six digits of the authenticator, if two-factor sign-in is on; recovery codes are refused' })
    .optional(),
  otp: mailedCode(
    `\`/user/email/get-otp\` with \`purpose\` \`money_out\` and as \`about\` ${about}, if two-factor sign-in is off`,
  ).optional(),
});
