import { z } from 'zod';
import { lines } from '../../free-text.ts';
import { route } from '../../route.ts';
import { desk } from './desk.ts';
import { time } from '../../wire.ts';
import { acted, reason } from './operator.ts';

/** What was compared before it is ended, as a statement or a list; kept in the audit. */
const evidence = lines().min(1, { error: 'required' }).max(4000, { error: 'too_long' });

export const operatorRestored = route({
  ...desk,
  allows: 'operator: restored.read',
  method: 'GET',
  path: '/operator/restored',
  summary:
    'Whether the database may be older than what has happened to the money (it was brought back from a backup), and what showed that. Meanwhile nothing is paid out',
  input: z.object({}),
  output: z.object({
    /** Whether payouts are off until two people end it. */
    restored: z.boolean(),
    since: time.optional(),
    /** What showed it, a sentence each. */
    why: z.array(z.string()),
  }),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorRestoredEnd = route({
  ...desk,
  allows: 'operator: restored.end',
  method: 'POST',
  path: '/operator/restored/end',
  summary:
    'End the restored mode: money may leave again. Two people. The ends of the chains of books and audit are noted anew from this database',
  input: z.object({ evidence, reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'act_not_open', 'same_person', 'request_differs'],
  idempotent: true,
});
