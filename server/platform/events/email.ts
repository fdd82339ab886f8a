import { withAsciiDomain } from '@kurs/contract';

/** Normalisation of local parts, for services that ignore or replace some characters in them. */
const SPELLED = new Map<string, (name: string) => string>([
  ['gmail.com', (name) => name.replaceAll('.', '')],
  ['yandex.ru', (name) => name.replaceAll('.', '-')],
  ['proton.me', (name) => name.replace(/[._-]/g, '')],
]);
/** Services with several domains for the same mailbox, by their main domain. */
const DOMAINS: Readonly<Record<string, readonly string[]>> = {
  'gmail.com': ['googlemail.com'],
  'yandex.ru': ['ya.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'yandex.ua', 'yandex.com.tr', 'narod.ru'],
  'proton.me': ['protonmail.com', 'protonmail.ch', 'pm.me'],
  'icloud.com': ['me.com', 'mac.com'],
};
const SERVICE = new Map(Object.entries(DOMAINS).flatMap(([one, others]) => others.map((other) => [other, one] as const)));

/**
 * Returns the one spelling of an e-mail that stands for all others of the same mailbox. It is in lower case, without a plus-tag and
 * under one of the service's domains. Gmail ignores dots, Proton dots, dashes and underscores; to Yandex a dot is a dash.
 */
export function canonicalEmail(email: string): string {
  const text = withAsciiDomain(email.trim().toLowerCase());
  const at = text.lastIndexOf('@');
  const domain = SERVICE.get(text.slice(at + 1)) ?? text.slice(at + 1);
  const plain = text.slice(0, at).split('+')[0] as string;
  // An address such as `+a@…` consists of a tag alone, so it has none.
  const local = plain === '' ? text.slice(0, at) : plain;
  const name = SPELLED.get(domain)?.(local);
  // A local part of ignored characters alone stays as written.
  return `${name === undefined || name === '' ? local : name}@${domain}`;
}
