import { clientOf } from '@kurs/contract/client';
import { apiKeyMake, apiKeyRevoke, apiKeyRevokeAll, apiKeys } from '@kurs/contract/paths';
import { accessToken } from '../../../../../features/account/access-token.ts';
import { pageTransport } from '../../../../../features/api/client.ts';

/** API calls that list, create and revoke API keys. */
export const keyCalls = clientOf(pageTransport(accessToken), { apiKeyMake, apiKeyRevoke, apiKeyRevokeAll, apiKeys });

/** An API key in the list. */
export type KeyRow = Awaited<ReturnType<typeof keyCalls.apiKeys>>[number];
/** A new API key with its secret, which is shown only once. */
export type NewKey = Awaited<ReturnType<typeof keyCalls.apiKeyMake>>;
