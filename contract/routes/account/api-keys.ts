// API keys, by which an account holder's programs read the account's data and place orders for customers.

import { z } from 'zod';
import { line } from '../../fields/free-text.ts';
import { ACCOUNT_SCOPES } from '../../permissions.ts';
import { route } from '../../route.ts';
import { time } from '../../wire.ts';
import { onceMore } from './auth.ts';

const own = { allows: 'user', tag: 'Account' } as const;

const scopes = z
  .array(z.enum(ACCOUNT_SCOPES, { error: 'wrong_value' }), { error: 'wrong_value' })
  .min(1, { error: 'required' })
  .max(ACCOUNT_SCOPES.length, { error: 'wrong_value' });

/** Schema of the name that people give to an API key. */
export const keyName = line().min(1, { error: 'required' }).max(60, { error: 'too_long' });

const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], { error: 'network_format' });

export const keyNetworks = z
  .array(network)
  .max(20, { error: 'wrong_value' })
  .default([])
  .meta({ description: 'Addresses and networks (`203.0.113.0/24`) from which it is accepted; empty for any' });

/** Schema of the days for which a new API key is valid. */
export const keyDays = z
  .int({ error: 'wrong_value' })
  .min(1, { error: 'wrong_value' })
  .max(365, { error: 'wrong_value' })
  .default(90);

/** Fields of any API key in answers, besides its permissions. */
export const keyFields = {
  id: z.uuid(),
  name: line(),
  /** The first characters of the key. */
  hint: z.string(),
  networks: z.array(z.string()).meta({ description: 'Networks from which it is accepted; empty for any' }),
  created_at: time,
  expires_at: time,
  used_at: time.optional().meta({ description: 'Time of its last use, to the minute' }),
  used_from: z.string().optional(),
};

const apiKey = z.object({ ...keyFields, scopes: z.array(z.enum(ACCOUNT_SCOPES)) });

export const apiKeys = route({
  ...own,
  method: 'GET',
  path: '/user/api-keys',
  summary: 'The account’s valid API keys, newest first',
  input: z.object({}),
  output: z.array(apiKey.meta({ id: 'ApiKey' })),
  problems: [],
});

export const apiKeyMake = route({
  ...own,
  method: 'POST',
  path: '/user/api-keys/make',
  summary:
    'Make an API key. It is shown only in this answer, and allows what its scopes say; it can’t move the account’s money. The account is notified by letter. A session older than 10 minutes also needs the password, or a mailed code if none is set',
  input: z.object({
    name: keyName,
    scopes: scopes.meta({
      description:
        '`orders.read`: the account’s orders, without their secrets. `wallets.read`: its wallets’ balances. `partner.read`: rates, and statistics of its links. `partner.orders`: places orders for the account’s customers, who pay them',
    }),
    networks: keyNetworks,
    days: keyDays,
    ...onceMore('api_key'),
  }),
  output: apiKey.extend({ key: z.string() }).meta({ id: 'NewApiKey' }),
  problems: ['code_required', 'code_wrong', 'code_expired'],
});

export const apiKeyRevoke = route({
  ...own,
  method: 'POST',
  path: '/user/api-keys/revoke',
  summary: 'Revoke an API key, at once',
  input: z.object({ id: z.uuid({ error: 'id_format' }) }),
  output: z.undefined(),
  isEmpty: true,
  problems: ['not_found'],
});

export const apiKeyRevokeAll = route({
  ...own,
  method: 'POST',
  path: '/user/api-keys/revoke-all',
  summary: 'Revoke all API keys of the account, at once',
  input: z.object({}),
  output: z.undefined(),
  isEmpty: true,
  problems: [],
});
