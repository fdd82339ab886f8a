import { z } from 'zod';
import { route } from '../route.ts';
import { time } from '../wire.ts';

export const health = route({
  method: 'GET',
  path: '/health',
  allows: 'public',
  tag: 'Site',
  summary: 'Whether this process serves and its database answers',
  input: z.object({}),
  output: z.object({ status: z.literal('ok'), mode: z.enum(['sandbox', 'live']), build: z.string(), time }),
  problems: [],
});
