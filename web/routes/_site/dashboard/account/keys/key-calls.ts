import { clientOf } from '@kurs/contract/client';
import { apiKeyMake, apiKeyRevoke, apiKeyRevokeAll, apiKeys } from '@kurs/contract/paths';
import { accessToken } from '../../../../../features/account/access-token.ts';
import { pageTransport } from '../../../../../features/api/client.ts';

/** The calls about API keys. */
export const keyCalls = clientOf(pageTransport(accessToken), { apiKeyMake, apiKeyRevoke, apiKeyRevokeAll, apiKeys });

/** A key, as it is listed. */
export type KeyRow = Awaited<ReturnType<typeof keyCalls.apiKeys>>[number];
/** A key that was just made, with what is shown this once. */
export type NewKey = Awaited<ReturnType<typeof keyCalls.apiKeyMake>>;
