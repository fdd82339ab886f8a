// API keys, by which an account holder's programs read the account's data and place orders for customers.

import { z } from 'zod';
import { line } from '../../fields/free-text.ts';
import { SCOPES } from '../../permissions.ts';
import { route } from '../../route.ts';
import { time } from '../../wire.ts';
import { onceMore } from './auth.ts';

const own = { allows: 'user', tag: 'Account' } as const;

const scopes = z
  .array(z.enum(SCOPES, { error: 'wrong_value' }), { error: 'wrong_value' })
  .min(1, { error: 'required' })
  .max(SCOPES.length, { error: 'wrong_value' });

const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], { error: 'network_format' });

const apiKey = z.object({
  id: z.uuid(),
  name: line(),
  /** The first characters of the key. */
  hint: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  networks: z.array(z.string()).meta({ description: 'From where it is taken; empty for anywhere' }),
  created_at: time,
  expires_at: time,
  used_at: time.optional().meta({ description: 'When it was used last, to the minute' }),
  used_from: z.string().optional(),
});

export const apiKeys = route({
  ...own,
  method: 'GET',
  path: '/user/api-keys',
  summary: 'The account’s API keys that open something, newest first',
  input: z.object({}),
  output: z.array(apiKey.meta({ id: 'ApiKey' })),
  problems: [],
});

export const apiKeyMake = route({
  ...own,
  method: 'POST',
  path: '/user/api-keys/make',
  summary:
    'Make an API key. It is shown in this answer only, and does what its scopes say: it moves no money of the account. The account is told by letter. Asked for in a session that is older than 10 minutes, it takes the password once more, or a mailed code where none is set',
  input: z.object({
    name: line().min(1, { error: 'required' }).max(60, { error: 'too_long' }),
    scopes: scopes.meta({
      description:
        '`orders.read`: the account’s orders, without their secrets. `wallets.read`: what its wallets hold. `partner.read`: rates, and what its links brought. `partner.orders`: places orders for customers of the account, who pay them',
    }),
    networks: z
      .array(network)
      .max(20, { error: 'wrong_value' })
      .default([])
      .meta({ description: 'Addresses and networks (`203.0.113.0/24`) that it is taken from; empty for anywhere' }),
    days: z.int({ error: 'wrong_value' }).min(1, { error: 'wrong_value' }).max(365, { error: 'wrong_value' }).default(90),
    ...onceMore('api_key'),
  }),
  output: apiKey.extend({ key: z.string() }).meta({ id: 'NewApiKey' }),
  problems: ['code_required', 'code_wrong', 'code_expired'],
});

export const apiKeyRevoke = route({
  ...own,
  method: 'POST',
  path: '/user/api-keys/revoke',
  summary: 'Revoke an API key: it opens nothing from then on',
  input: z.object({ id: z.uuid({ error: 'id_format' }) }),
  output: z.undefined(),
  empty: true,
  problems: ['not_found'],
});

export const apiKeyRevokeAll = route({
  ...own,
  method: 'POST',
  path: '/user/api-keys/revoke-all',
  summary: 'Revoke all API keys of the account: none opens anything from then on',
  input: z.object({}),
  output: z.undefined(),
  empty: true,
  problems: [],
});
