import type { Locale } from '../../ui/base/locale.ts';

/** Key that opens an order's page: the order's number and its secret. */
interface Key {
  readonly id: string;
  readonly token: string;
  /** Language of the page that the customer left. It is stored because a provider may support only one return URL. */
  readonly locale: Locale;
}

const PREFIX = 'order ';
const LAST = 'last order';

/** Stores an order's key in this tab, for providers that send their customer back without the key. */
export function storeKey({ id, token, locale }: Key): void {
  try {
    sessionStorage.setItem(PREFIX + id, `${locale} ${token}`);
    sessionStorage.setItem(LAST, id);
  } catch {
    // Without storage the customer uses the link in their mail.
  }
}

const DEPOSIT = 'deposit:';

/** Stores the key of a deposit in this tab before the customer leaves for a payment system. */
export const storeDeposit = ({ number, id, locale }: { number: string; id: string; locale: Locale }): void =>
  storeKey({ id: number, token: DEPOSIT + id, locale });

/** Returns the id of the deposit that a key belongs to; undefined for an order's key. */
export const depositOf = ({ token }: Pick<Key, 'token'>): string | undefined =>
  token.startsWith(DEPOSIT) ? token.slice(DEPOSIT.length) : undefined;

/** Returns the key that this tab stored under a number; without a number, the key that was stored last. */
export function storedKey(named: string | undefined): Key | undefined {
  try {
    const id = named ?? sessionStorage.getItem(LAST) ?? '';
    const [locale, token] = sessionStorage.getItem(PREFIX + id)?.split(' ') ?? [];
    return token === undefined ? undefined : { id, token, locale: locale === 'ru' ? 'ru' : 'en' };
  } catch {
    return undefined;
  }
}
