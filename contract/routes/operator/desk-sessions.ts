// Sessions of the desk's people, begun by a key and an authenticator's code. With real money a key alone only begins sessions.

import { z } from 'zod';
import { copiedDigits, copiedGroups } from '../../fields/copied-code.ts';
import { time } from '../../wire.ts';
import { route } from '../../route.ts';
import { desk } from './desk.ts';

/** Schema of an authenticator's code. */
const code = z
  .string()
  .overwrite(copiedDigits)
  .regex(/^\d{6}$/, { error: 'two_factor_format' });
/** Schema of an authenticator's code or a recovery code. */
export const anyCode = z
  .string()
  .overwrite(copiedGroups)
  .regex(/^(\d{6}|[0-9A-Z]{4}(-?[0-9A-Z]{4}){3})$/, { error: 'two_factor_format' });
const common = { ...desk, allows: 'operator: session.begin', method: 'POST' } as const;

export const deskFactorBegin = route({
  ...common,
  path: '/operator/factor/begin',
  summary: 'Make a secret for an authenticator; it takes effect with its first code',
  input: z.object({}),
  output: z.object({ secret: z.string(), otpauth_url: z.string() }),
  problems: ['unauthorised', 'forbidden', 'two_factor_on'],
});

export const deskFactorEnable = route({
  ...common,
  path: '/operator/factor/enable',
  summary:
    'Switch the authenticator on with its first code. Returns recovery codes, shown only in this answer; each replaces a code once. Another authenticator needs a new key, which takes two people',
  input: z.object({ code }),
  output: z.object({ recovery_codes: z.array(z.string()) }),
  problems: ['unauthorised', 'forbidden', 'two_factor_off', 'two_factor_wrong'],
});

export const deskSignIn = route({
  ...common,
  path: '/operator/session/begin',
  summary:
    'Begin a session of 12 hours with a key and, if an authenticator is set up, its code or a recovery code. With real money the authenticator is required, and a key alone can make no other call',
  input: z.object({ code: anyCode.optional() }),
  output: z.object({ token: z.string(), expires_at: time }),
  problems: ['unauthorised', 'forbidden', 'two_factor_required', 'two_factor_off', 'two_factor_wrong'],
});

export const deskSignOut = route({
  ...common,
  path: '/operator/session/end',
  summary: 'End all sessions of the caller',
  input: z.object({}),
  output: z.undefined(),
  isEmpty: true,
  problems: ['unauthorised', 'forbidden'],
});
