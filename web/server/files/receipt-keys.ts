import type { Client } from '@kurs/contract/client';
import type { SiteConfig, SiteResponse } from '../../site.ts';
import { COMMON_HEADERS } from '../routing/headers.ts';

/** Path of the keys that verify our receipts, for programs that don't use our API (RFC 8615). */
export const RECEIPT_KEYS_PATH = '/.well-known/kurs-receipt-keys.json';

/** Returns the public keys as a file. Throws if the call fails. */
export async function receiptKeysFile(config: SiteConfig, client: Client): Promise<SiteResponse> {
  const { keys } = await client.receiptKeys({});
  return {
    status: 200,
    headers: [
      ...COMMON_HEADERS,
      ['content-type', 'application/json; charset=utf-8'],
      ['cache-control', 'public, max-age=3600'],
      ['access-control-allow-origin', '*'],
    ],
    body: JSON.stringify({ issuer: config.url, keys }),
    isCacheable: false,
  };
}
