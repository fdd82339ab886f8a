import type { Locale } from '../../ui/base/locale.ts';

/** Key of an order: its number and its secret. */
interface Key {
  readonly id: string;
  readonly token: string;
  /** Language of the page that the customer left. A provider may support only one return address. */
  readonly locale: Locale;
}

const PREFIX = 'order ';
const LAST = 'last order';

/** Stores an order's key in this tab, for a provider that sends its customer back without it. */
export function storeKey({ id, token, locale }: Key): void {
  try {
    sessionStorage.setItem(PREFIX + id, `${locale} ${token}`);
    sessionStorage.setItem(LAST, id);
  } catch {
    // Without storage the customer uses the link in their mail.
  }
}

const DEPOSIT = 'deposit:';

/** Stores in this tab the deposit whose page was left for its payment system. */
export const storeDeposit = ({ number, id, locale }: { number: string; id: string; locale: Locale }): void =>
  storeKey({ id: number, token: DEPOSIT + id, locale });

/** Returns the deposit of a key; undefined for an order's key. */
export const depositOf = ({ token }: Pick<Key, 'token'>): string | undefined =>
  token.startsWith(DEPOSIT) ? token.slice(DEPOSIT.length) : undefined;

/** Returns the key that this tab stored for a number; without a number, the last one. */
export function storedKey(named: string | undefined): Key | undefined {
  try {
    const id = named ?? sessionStorage.getItem(LAST) ?? '';
    const [locale, token] = sessionStorage.getItem(PREFIX + id)?.split(' ') ?? [];
    return token === undefined ? undefined : { id, token, locale: locale === 'ru' ? 'ru' : 'en' };
  } catch {
    return undefined;
  }
}
