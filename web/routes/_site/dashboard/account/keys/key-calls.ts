import { clientOf } from '@kurs/contract/client';
import { apiKeyMake, apiKeyRevoke, apiKeyRevokeAll, apiKeys } from '@kurs/contract/paths';
import { accessToken } from '../../../../../features/account/access-token.ts';
import { pageTransport } from '../../../../../features/api/client.ts';

/** API calls that list, create and revoke API keys. */
export const keyCalls = clientOf(pageTransport(accessToken), { apiKeyMake, apiKeyRevoke, apiKeyRevokeAll, apiKeys });
