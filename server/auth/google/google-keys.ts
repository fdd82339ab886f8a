// Google's public keys, which are fetched only from the configured URL.

import { Problem } from '@kurs/contract';
import { type JWTVerifyGetKey, createRemoteJWKSet, customFetch, errors } from 'jose';

/** Time limit of a request, in ms. */
const TIMEOUT_MS = 4_000;
/** Maximum length of Google's answer, in characters. The usual answer has about 2 kB. */
const LARGEST_ANSWER = 100_000;

/**
 * Returns a function that looks up the key of a token. Google's keys are cached for ten minutes. If a token names an unknown
 * key, Google's keys are fetched again, at most twice a minute. The function throws `JWKSNoMatchingKey` for an unknown key, and
 * `google_unavailable` if the URL doesn't return keys.
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

/**
 * Fetches keys. Throws if the answer is too long or contains no keys. Otherwise an answer without keys would be cached for ten
 * minutes.
 */
async function fetchKeys(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  const text = await response.text();
  if (text.length > LARGEST_ANSWER) throw new Error(`${text.length} characters from ${new URL(url).host}`);
  if (response.ok && !text.includes('"kid"')) throw new Error(`no keys from ${new URL(url).host}`);
  return new Response(text, { status: response.status });
}
