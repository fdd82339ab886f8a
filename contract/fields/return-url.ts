import { line } from './free-text.ts';

/** Maximum length of an address on the shop's site. */
const MAX_URL = 500;

/** True if an address is https, names no user and no password, and no port. */
export function isPlainHttps(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && url.port === '';
}

/** Schema of an address on the shop's site, to which the buyer returns. */
export const returnUrl = line()
  .max(MAX_URL, { error: 'too_long' })
  .refine(isPlainHttps, { error: 'url_format' })
  .meta({ description: 'An https address on one of the store’s web sites, without credentials' });
