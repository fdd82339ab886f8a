import { z } from 'zod';
import { route } from '../route.ts';
import { id, token } from '../wire.ts';

export const botChallenge = route({
  method: 'GET',
  path: '/bot/challenge',
  allows: 'public',
  tag: 'Calculation',
  summary:
    'A proof-of-work challenge (ALTCHA), whose work grows with the load and with the share of a reserve that is held; if ' +
    '`provider` is given, send its token in place of a solution',
  input: z.object({
    for: id.optional(),
    token: token.optional(),
    work: z.coerce.number().int().min(1).max(20_000_000).optional().meta({
      description: 'The `work` from the answer `bot_check_required`; a challenge with less work is refused then',
    }),
  }),
  output: z.object({
    algorithm: z.string(),
    challenge: z.string(),
    maxnumber: z.int(),
    salt: z.string(),
    signature: z.string(),
    provider: z
      .object({
        name: z.enum(['turnstile', 'recaptcha']),
        site_key: z.string(),
      })
      .nullable()
      .meta({ description: 'The provider of bot checks, while it answers; null: solve the challenge' }),
  }),
  problems: [],
});
