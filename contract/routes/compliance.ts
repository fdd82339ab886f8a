import { z } from 'zod';
import { route } from '../route.ts';
import { id, token } from '../wire.ts';

export const botChallenge = route({
  method: 'GET',
  path: '/bot/challenge',
  allows: 'public',
  tag: 'Calculation',
  summary:
    'A proof-of-work challenge (ALTCHA), whose work grows with the load and with the share of a reserve that is held; where ' +
    '`provider` is given, its token is asked for in place of a solution',
  input: z.object({
    for: id.optional(),
    token: token.optional(),
    work: z.coerce.number().int().min(1).max(20_000_000).optional().meta({
      description: 'What the answer `bot_check_required` said that is asked for; a challenge of less work does not do then',
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
      .meta({ description: 'Who checks for robots here, while it answers; null: solve the challenge' }),
  }),
  problems: [],
});
