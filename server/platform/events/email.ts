import { withAsciiDomain } from '@kurs/contract';

/**
 * Functions that normalise a local part, by the main domain of a mail service. For services that ignore or replace some
 * characters.
 */
const SPELLED = new Map<string, (name: string) => string>([
  ['gmail.com', (name) => name.replaceAll('.', '')],
  ['yandex.ru', (name) => name.replaceAll('.', '-')],
  ['proton.me', (name) => name.replace(/[._-]/g, '')],
]);
/** Further domains of mail services with several domains for the same mailbox, by the main domain. */
const DOMAINS: Readonly<Record<string, readonly string[]>> = {
  'gmail.com': ['googlemail.com'],
  'yandex.ru': ['ya.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'yandex.ua', 'yandex.com.tr', 'narod.ru'],
  'proton.me': ['protonmail.com', 'protonmail.ch', 'pm.me'],
  'icloud.com': ['me.com', 'mac.com'],
};
const SERVICE = new Map(Object.entries(DOMAINS).flatMap(([one, others]) => others.map((other) => [other, one] as const)));

/**
 * Returns the canonical form of an e-mail address, which is the same for all spellings of one mailbox. The result is in lower
 * case, without a plus-tag, under the service's main domain. Gmail ignores dots; Proton ignores dots, dashes and underscores;
 * Yandex treats a dot as a dash.
 */
export function canonicalEmail(email: string): string {
  const text = withAsciiDomain(email.trim().toLowerCase());
  const at = text.lastIndexOf('@');
  const domain = SERVICE.get(text.slice(at + 1)) ?? text.slice(at + 1);
  const plain = text.slice(0, at).split('+')[0] as string;
  // The local part of an address such as `+a@…` stays unchanged, since it would be empty without its tag.
  const local = plain === '' ? text.slice(0, at) : plain;
  const name = SPELLED.get(domain)?.(local);
  // A local part that consists only of ignored characters stays unchanged.
  return `${name === undefined || name === '' ? local : name}@${domain}`;
}
