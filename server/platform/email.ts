/** Services that ignore dots, and the one name that a service with several has. */
const DOTLESS = new Set(['gmail.com']);
const SAME_SERVICE: Readonly<Record<string, string>> = { 'googlemail.com': 'gmail.com' };

/**
 * The e-mail that stands for all its spellings: lower-case, without a plus-tag, and for Gmail without dots. Takes an
 * address that has the form of one.
 */
export function canonicalEmail(email: string): string {
  const text = email.trim().toLowerCase();
  const at = text.lastIndexOf('@');
  const domain = SAME_SERVICE[text.slice(at + 1)] ?? text.slice(at + 1);
  const plain = text.slice(0, at).split('+')[0] as string;
  // An address that is a tag only (`+a@…`) is no tag of anybody.
  const local = plain === '' ? text.slice(0, at) : plain;
  return `${DOTLESS.has(domain) ? local.replaceAll('.', '') : local}@${domain}`;
}
