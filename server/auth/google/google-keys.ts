// Google's public keys, asked for at the configured address alone.

import { Problem } from '@kurs/contract';
import { type JWTVerifyGetKey, createRemoteJWKSet, customFetch, errors } from 'jose';

const TIMEOUT_MS = 4_000;
/** Google's answer has some 2 kB. */
const LARGEST_ANSWER = 100_000;

/**
 * Looks up the key that a token names. Google's keys are kept for ten minutes; a key that they don't hold is asked for anew,
 * twice a minute at most. What it gives throws a `JWKSNoMatchingKey` for a key that Google doesn't have, and
 * `google_unavailable` if the address is silent or answers with anything but keys.
 */
export function openGoogleKeys(url: string, { timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {}): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(url), { timeoutDuration: timeoutMs, [customFetch]: fetchKeys });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      throw new Problem('google_unavailable', { cause: error });
    }
  };
}

/** An answer of reasonable length that holds a key: an empty one would be believed for ten minutes. */
async function fetchKeys(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  const text = await response.text();
  if (text.length > LARGEST_ANSWER) throw new Error(`${text.length} characters from ${new URL(url).host}`);
  if (response.ok && !text.includes('"kid"')) throw new Error(`no keys from ${new URL(url).host}`);
  return new Response(text, { status: response.status });
}
