import type { Locale } from '../../ui/locale.ts';

/** What opens an order: its number and its secret. */
interface Key {
  readonly id: string;
  readonly token: string;
  /** The language of the page that was left: a provider may know one way back only. */
  readonly locale: Locale;
}

const PREFIX = 'order ';
const LAST = 'last order';

/** Remembers in this tab what opens an order, for when a provider sends its customer back without it. */
export function keepKey({ id, token, locale }: Key): void {
  try {
    sessionStorage.setItem(PREFIX + id, `${locale} ${token}`);
    sessionStorage.setItem(LAST, id);
  } catch {
    // A browser that keeps nothing: the link is in the mail.
  }
}

/** What opens an order, as this tab remembers it; the last one's where a provider brings no number back. */
export function keptKey(named: string | undefined): Key | undefined {
  try {
    const id = named ?? sessionStorage.getItem(LAST) ?? '';
    const [locale, token] = sessionStorage.getItem(PREFIX + id)?.split(' ') ?? [];
    return token === undefined ? undefined : { id, token, locale: locale === 'ru' ? 'ru' : 'en' };
  } catch {
    return undefined;
  }
}
