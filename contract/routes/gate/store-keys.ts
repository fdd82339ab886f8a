// Calls about a store's API keys.

import { z } from 'zod';
import { STORE_SCOPES } from '../../permissions.ts';
import { route } from '../../route.ts';
import { id } from '../../wire.ts';
import { keyDays, keyFields, keyName, keyNetworks } from '../account/api-keys.ts';
import { onceMore } from '../account/auth.ts';
import { ofStore, storeId } from './stores.ts';

const managed = { ...ofStore, allows: 'user: keys.manage' } as const;

const storeKey = z
  .object({
    ...keyFields,
    permissions: z.array(z.enum(STORE_SCOPES)),
    /** E-mail address of the member who made the key. */
    made_by: z.string(),
    test: z.boolean().meta({ description: 'True for a key of a test store' }),
  })
  .meta({ id: 'StoreKey' });

export const storeKeys = route({
  ...managed,
  method: 'GET',
  path: '/store/:store/keys',
  summary: 'A store’s valid API keys, newest first, and the permissions that the caller may give',
  input: z.object(storeId),
  output: z.object({ keys: z.array(storeKey), givable: z.array(z.enum(STORE_SCOPES)) }),
  problems: [],
});

export const storeKeyMake = route({
  ...managed,
  method: 'POST',
  path: '/store/:store/keys/make',
  summary:
    'Make an API key of a store, with permissions that the caller has. It is shown only in this answer. A session older than 10 minutes also needs the password, or a mailed code if none is set. Only the owner makes a key that refunds',
  input: z.object({
    ...storeId,
    name: keyName,
    permissions: z
      .array(z.enum(STORE_SCOPES, { error: 'wrong_value' }), { error: 'wrong_value' })
      .min(1, { error: 'required' })
      .max(STORE_SCOPES.length, { error: 'wrong_value' }),
    networks: keyNetworks,
    days: keyDays,
    ...onceMore('api_key'),
  }),
  output: storeKey.extend({ key: z.string() }).meta({ id: 'NewStoreKey' }),
  problems: ['code_required', 'code_wrong', 'code_expired', 'store_without_members'],
  isIdempotent: true,
});

export const storeKeyRevoke = route({
  ...managed,
  method: 'POST',
  path: '/store/:store/keys/revoke',
  summary: 'Revoke an API key of a store, at once',
  input: z.object({ ...storeId, id }),
  output: z.undefined(),
  isEmpty: true,
  problems: ['not_found'],
});
