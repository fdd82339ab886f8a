import { z } from 'zod';
import { route } from '../../route.ts';
import { time } from '../../wire.ts';
import { desk } from './desk.ts';

export const operatorAlarms = route({
  ...desk,
  allows: 'operator: alarms.read',
  method: 'GET',
  path: '/operator/alarms',
  summary: 'Open alarms; with `all=1` also earlier messages, the newest first',
  input: z.object({ all: z.enum(['0', '1']).default('0') }),
  output: z.object({
    open: z.array(z.object({ alarm: z.string(), words: z.string(), to_do: z.string(), since: time, last_told: time })),
    reported: z.array(
      z.object({
        at: time,
        notice: z.enum(['raised', 'reminder', 'over']),
        alarm: z.string(),
        words: z.string(),
        since: time,
      }),
    ),
  }),
  problems: ['unauthorised', 'forbidden'],
});
