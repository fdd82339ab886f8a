import { z } from 'zod';
import { PERMISSIONS } from '../../permissions.ts';
import { route } from '../../route.ts';
import { desk } from './desk.ts';
import { time } from '../../wire.ts';
import { acted, reason } from './operator.ts';

const name = z.string().regex(/^[a-z][a-z0-9-]{1,39}$/, { error: 'fingerprint_format' });
const role = z.enum(['operator', 'compliance'], { error: 'fingerprint_format' });
/** Schema of a key's fingerprint: its SHA-256 in hex. The key itself stays with its person. */
const fingerprint = z.string().regex(/^[0-9a-f]{64}$/, { error: 'fingerprint_format' });

export const operatorPeople = route({
  ...desk,
  allows: 'operator: people.read',
  method: 'GET',
  path: '/operator/people',
  summary: 'The people of the desk, those too whose keys were taken back',
  input: z.object({}),
  output: z.array(
    z.object({
      name: z.string(),
      role: z.string(),
      active: z.boolean(),
      fingerprint: z.string(),
      key_since: time,
      revoked: time.optional(),
      last_act: time.optional(),
    }),
  ),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorRoles = route({
  ...desk,
  allows: 'operator: people.read',
  method: 'GET',
  path: '/operator/roles',
  summary: 'What each role of the desk may do, since when and by whom it is so',
  input: z.object({}),
  output: z.array(z.object({ role: z.string(), permissions: z.array(z.string()), since: time, by: z.string() })),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorRole = route({
  ...desk,
  allows: 'operator: people.change',
  method: 'POST',
  path: '/operator/role',
  summary: 'Change what a role may do, from the next call on: two people, who have themselves all that they give or take',
  input: z.object({ role, permissions: z.array(z.enum(PERMISSIONS)).max(100, { error: 'too_long' }), reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'validation', 'same_person', 'request_differs'],
  idempotent: true,
});

export const operatorHire = route({
  ...desk,
  allows: 'operator: people.change',
  method: 'POST',
  path: '/operator/people/hire',
  summary: 'Make somebody a person of the desk, by the fingerprint of a key of their own: two people of their role',
  input: z.object({ name, role, fingerprint, reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'validation', 'same_person', 'request_differs'],
  idempotent: true,
});

export const operatorRotate = route({
  ...desk,
  allows: 'operator: people.change',
  method: 'POST',
  path: '/operator/people/rotate',
  summary: 'Give a person another key, by its fingerprint; the old one opens nothing from then on: two people of their role',
  input: z.object({ name, fingerprint, reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'not_found', 'validation', 'same_person', 'request_differs'],
  idempotent: true,
});

export const operatorRevoke = route({
  ...desk,
  allows: 'operator: people.change',
  method: 'POST',
  path: '/operator/people/revoke',
  summary: 'Take a person’s key back, and with it what they have asked for that nobody has confirmed; at once, by one person',
  input: z.object({ name, reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'not_found'],
  idempotent: true,
});

export const operatorConsent = route({
  ...desk,
  allows: 'operator: requests.consent',
  method: 'POST',
  path: '/operator/request/consent',
  summary: 'Confirm what somebody else has asked for, by the request’s id: the same action, as it was asked for',
  input: z.object({ id: z.uuid(), reason: reason.optional() }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'request_over', 'same_person', 'request_differs'],
  idempotent: true,
});
