// Codes that confirm something: what each is, where it comes from, and what it is good for.

import { z } from 'zod';
import { copiedDigits } from './fields/copied-code.ts';

const sixDigits = z
  .string()
  .overwrite(copiedDigits)
  .regex(/^[0-9]{6}$/, { error: 'code_format' });

/** A code that was mailed. `where`: by which call, and for what. */
export const mailedCode = (where: string) =>
  sixDigits.meta({ description: `Six digits that were mailed by ${where}. Good once, for ten minutes and five tries` });

/** Whose a mailed code is, where nobody is signed in. */
export const codeHandle = z.string().max(100, { error: 'too_long' }).meta({
  id: 'CodeHandle',
  description:
    'What came with the answer as the code was asked for: it is good only with it. Given as another is asked for, that one takes its place',
});

/** What confirms an action of an account holder: one of the two. `about`: what the mailed code has to be about. */
export const confirmingCodes = (about: string) => ({
  two_factor_code: sixDigits
    .meta({ description: 'Six digits of the authenticator, where two-factor sign-in is on; a recovery code doesn’t do' })
    .optional(),
  otp: mailedCode(
    `\`/user/email/get-otp\` with \`purpose\` \`money_out\` and as \`about\` ${about}, where two-factor sign-in is off`,
  ).optional(),
});
