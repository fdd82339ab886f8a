import { z } from 'zod';
import { line } from '../../fields/free-text.ts';
import { route } from '../../route.ts';
import { longPage, time } from '../../wire.ts';
import { desk } from './desk.ts';
import { acted, reason } from './operator.ts';

/** The last answer, or the reason why there was none. */
const answer = { status: z.int().optional(), said: z.string().optional() };

export const operatorDeliveries = route({
  ...desk,
  allows: 'operator: deliveries.read',
  method: 'GET',
  path: '/operator/deliveries',
  summary: 'Sent and waiting letters and webhooks with their last answers, the newest first',
  input: z.object({
    ...longPage,
    /** Owner of the endpoint: `mail`, `alarms`, … */
    owner: line().max(60, { error: 'too_long' }).optional(),
    /** Receiver of letters. */
    to: line().max(254, { error: 'too_long' }).optional(),
    state: z.enum(['waiting', 'taken', 'given_up', 'missed', 'overtaken']).optional(),
  }),
  output: z.array(
    z.object({
      id: z.uuid(),
      at: time,
      owner: z.string(),
      type: z.string(),
      to: z.string(),
      state: z.enum(['waiting', 'taken', 'given_up', 'missed', 'overtaken']),
      tries: z.int(),
      next: time.optional(),
      ...answer,
    }),
  ),
  problems: ['unauthorised', 'forbidden', 'validation'],
  isList: true,
});

export const operatorDelivery = route({
  ...desk,
  allows: 'operator: deliveries.read',
  method: 'GET',
  path: '/operator/delivery',
  summary: 'The attempts of a delivery, the oldest first: time, answer and duration',
  input: z.object({ id: z.uuid() }),
  output: z.array(z.object({ at: time, latency_ms: z.int(), ...answer })),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorReplay = route({
  ...desk,
  allows: 'operator: deliveries.replay',
  method: 'POST',
  path: '/operator/delivery/replay',
  summary: 'Deliver again, under the same id, with all attempts',
  input: z.object({ id: z.uuid(), reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'not_found', 'delivery_overtaken'],
  isIdempotent: true,
});
