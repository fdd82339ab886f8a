import { z } from 'zod';
import { route } from '../route.ts';
import { id, token } from '../wire.ts';

export const botChallenge = route({
  method: 'GET',
  path: '/bot/challenge',
  who: 'public',
  tag: 'Calculation',
  summary: 'A proof-of-work challenge (ALTCHA); its work grows with the share of a reserve that the calculation would hold',
  input: z.object({ for: id.optional(), token: token.optional() }),
  output: z.object({
    algorithm: z.string(),
    challenge: z.string(),
    maxnumber: z.int(),
    salt: z.string(),
    signature: z.string(),
  }),
  problems: [],
});
