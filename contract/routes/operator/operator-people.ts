import { z } from 'zod';
import { PERMISSIONS } from '../../permissions.ts';
import { route } from '../../route.ts';
import { desk } from './desk.ts';
import { time } from '../../wire.ts';
import { acted, reason } from './operator.ts';

const name = z.string().regex(/^[a-z][a-z0-9-]{1,39}$/, { error: 'fingerprint_format' });
const role = z.enum(['operator', 'compliance'], { error: 'fingerprint_format' });
/** Schema of a key's fingerprint: its SHA-256 in hex. Only the person who made the key has the key itself. */
const fingerprint = z.string().regex(/^[0-9a-f]{64}$/, { error: 'fingerprint_format' });

export const operatorPeople = route({
  ...desk,
  allows: 'operator: people.read',
  method: 'GET',
  path: '/operator/people',
  summary: 'The people of the desk, including those whose keys were revoked',
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
  summary: 'Permissions of the desk’s roles, since when, and by whom',
  input: z.object({}),
  output: z.array(z.object({ role: z.string(), permissions: z.array(z.string()), since: time, by: z.string() })),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorRole = route({
  ...desk,
  allows: 'operator: people.change',
  method: 'POST',
  path: '/operator/role',
  summary: 'Change a role’s permissions from the next call on. Two people who have all permissions that they give or take away',
  input: z.object({ role, permissions: z.array(z.enum(PERMISSIONS)).max(100, { error: 'too_long' }), reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'validation', 'same_person', 'request_differs'],
  isIdempotent: true,
});

export const operatorHire = route({
  ...desk,
  allows: 'operator: people.change',
  method: 'POST',
  path: '/operator/people/hire',
  summary: 'Add a person to the desk, by the fingerprint of that person’s own key. Two people of the role',
  input: z.object({ name, role, fingerprint, reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'validation', 'same_person', 'request_differs'],
  isIdempotent: true,
});

export const operatorRotate = route({
  ...desk,
  allows: 'operator: people.change',
  method: 'POST',
  path: '/operator/people/rotate',
  summary: 'Replace a person’s key, by its fingerprint. Two people of the role',
  input: z.object({ name, fingerprint, reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'not_found', 'validation', 'same_person', 'request_differs'],
  isIdempotent: true,
});

export const operatorRevoke = route({
  ...desk,
  allows: 'operator: people.change',
  method: 'POST',
  path: '/operator/people/revoke',
  summary: 'Revoke a person’s key and cancel their unconfirmed requests. One person, at once',
  input: z.object({ name, reason }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'not_found'],
  isIdempotent: true,
});

export const operatorConsent = route({
  ...desk,
  allows: 'operator: requests.consent',
  method: 'POST',
  path: '/operator/request/consent',
  summary: 'Confirm another person’s request by its id: the same action with the same content',
  input: z.object({ id: z.uuid(), reason: reason.optional() }),
  output: acted,
  problems: ['unauthorised', 'forbidden', 'request_over', 'same_person', 'request_differs'],
  isIdempotent: true,
});
