import { type GoogleProvider, openGoogleKeys } from '../auth/index.ts';
import type { Config } from '../platform/index.ts';

/** Opens sign-in with Google as configured; undefined without a client id, and then nobody can use it. */
export function googleOf(config: Config): GoogleProvider | undefined {
  const { KURS_GOOGLE_CLIENT_ID: clientId, KURS_GOOGLE_ISSUERS: issuers, KURS_GOOGLE_KEYS: keys } = config;
  return clientId === '' ? undefined : { clientId, issuers, keyOf: openGoogleKeys(keys) };
}
