/** What services make of a dot: Gmail ignores it, to Yandex it is a dash. */
const DOTS = new Map([
  ['gmail.com', ''],
  ['yandex.ru', '-'],
]);
/** The one name that a service with several has; by each of them the same mailbox is reached. */
const SAME_SERVICE = new Map([
  ['googlemail.com', 'gmail.com'],
  ['ya.ru', 'yandex.ru'],
  ['yandex.com', 'yandex.ru'],
  ['yandex.by', 'yandex.ru'],
  ['yandex.kz', 'yandex.ru'],
]);

/**
 * The e-mail that stands for all its spellings: lower-case, without a plus-tag, for Gmail without dots and for Yandex with
 * dashes in their place, and by one of the service's domains. Takes an address that has the form of one.
 */
export function canonicalEmail(email: string): string {
  const text = email.trim().toLowerCase();
  const at = text.lastIndexOf('@');
  const domain = SAME_SERVICE.get(text.slice(at + 1)) ?? text.slice(at + 1);
  const plain = text.slice(0, at).split('+')[0] as string;
  // An address that is a tag only (`+a@…`) is no tag of anybody.
  const local = plain === '' ? text.slice(0, at) : plain;
  return `${local.replaceAll('.', DOTS.get(domain) ?? '.')}@${domain}`;
}
