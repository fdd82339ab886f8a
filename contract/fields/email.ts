import { z } from 'zod';

/**
 * Matches an address that mail servers accept (RFC 5321, 4.5.3.1; RFC 1035, 2.3.4). At most 64 characters stand before the `@`,
 * and at most 63 in each label of the domain. The last label has only letters, or is punycode (`xn--…`).
 */
export const EMAIL =
  /^(?=.{1,64}@)(?!\.)(?!.*\.\.)[A-Za-z0-9_'+.-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+(?:[A-Za-z]{2,63}|[Xx][Nn]--[A-Za-z0-9-]{0,58}[A-Za-z0-9])$/;

/** Schema of an e-mail address as typed. A national domain in its own letters is converted to punycode. */
export const email = z
  .string()
  .overwrite(withAsciiDomain)
  .regex(EMAIL, { error: 'email_format' })
  .max(254, { error: 'email_format' })
  .meta({ format: 'email' });

/** Returns an address with its domain in punycode: `ivan@xn--e1afmkfd.xn--p1ai` for `ivan@пример.рф`. */
export function withAsciiDomain(text: string): string {
  const at = text.lastIndexOf('@') + 1;
  const domain = text.slice(at);
  if (at === 0 || !/^[\p{L}\p{M}\p{N}.-]{1,250}$/u.test(domain) || /^[\x20-\x7e]*$/.test(domain)) return text;
  try {
    return text.slice(0, at) + new URL(`https://${domain}`).hostname;
  } catch {
    return text;
  }
}
