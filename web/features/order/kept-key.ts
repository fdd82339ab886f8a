import type { Locale } from '../../ui/base/locale.ts';

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

const DEPOSIT = 'deposit:';

/** Remembers in this tab the deposit into a wallet that was left for its payment system. */
export const keepDeposit = ({ number, id, locale }: { number: string; id: string; locale: Locale }): void =>
  keepKey({ id: number, token: DEPOSIT + id, locale });

/** The deposit that a key is of; undefined for an order's. */
export const depositOf = ({ token }: Pick<Key, 'token'>): string | undefined =>
  token.startsWith(DEPOSIT) ? token.slice(DEPOSIT.length) : undefined;

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
