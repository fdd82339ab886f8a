import { line } from './free-text.ts';

/** Maximum length of an address on the shop's site. */
const MAX_URL = 500;

/**
 * Matches https addresses whose host all programs read the same way. Programs disagree about `https:a.example` and
 * `https://a.example\@b.example`.
 */
const PLAIN = /^https:\/\/[^\s/\\?#][^\s\\]*$/i;

/** True if an address is https, names no user and no password, and no port, and all programs read its host the same way. */
export function isPlainHttps(text: string): boolean {
  const url = PLAIN.test(text) ? URL.parse(text) : undefined;
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && url.port === '';
}

/** Schema of an address on the shop's site, to which the buyer returns. */
export const returnUrl = line()
  .max(MAX_URL, { error: 'too_long' })
  .refine(isPlainHttps, { error: 'url_format' })
  .meta({ description: 'An https address on one of the store’s web sites, without credentials' });
