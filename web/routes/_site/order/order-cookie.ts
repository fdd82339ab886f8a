import { LOCALE_COOKIE, type Visit } from '../../../server/routing/visit.ts';
import type { SiteLocale } from '../../../site.ts';
import { PLACED_SECONDS } from '../exchange/calculation-cookie.ts';

/** Returns the name of the cookie that holds the token of one order. Only the web server reads it. */
const orderCookie = (id: string): string => `order-${id}`;
/**
 * Name of the cookie with the number of the last order or invoice that the customer left for a payment system, and the language
 * of its page. Some payment systems redirect back without the number and the language.
 */
const LAST = 'order-last';

/**
 * Allows this browser to open an order for a day by the order's number alone, because payment systems redirect back without the
 * token.
 */
export function storeOrder(visit: Visit, { id, token }: { id: string; token: string }): void {
  visit.setCookie(orderCookie(id), token, PLACED_SECONDS);
  storeLast(visit, id);
}

/** Stores the number of the order or invoice that the customer leaves for a payment system now. */
export const storeLast = (visit: Visit, number: string): void =>
  visit.setCookie(LAST, `${visit.locale} ${number}`, PLACED_SECONDS);

/** Returns the number of the order or invoice that the customer left last for a payment system; undefined if there is none. */
export const lastNumber = ({ cookies }: Visit): string | undefined => lastOf(cookies).id;

/**
 * Returns the key of an order that this browser may open. Without a number, takes the last order that was left for a payment
 * system. Returns undefined if this browser has no cookie for the order.
 */
export function storedOrder({ cookies }: Visit, named?: string): { id: string; token: string } | undefined {
  const id = named ?? lastOf(cookies).id;
  const token = id === undefined ? undefined : cookies[orderCookie(id)];
  return id === undefined || token === undefined ? undefined : { id, token };
}

/**
 * Returns the language in which the customer left the last page for a payment system. If the visitor selected the current
 * language by the language switch, returns the current language.
 */
export function leftLocale({ cookies, locale }: Visit): SiteLocale {
  const left = lastOf(cookies).locale;
  const chosen = cookies[LOCALE_COOKIE]?.toLowerCase();
  return chosen === locale || (left !== 'en' && left !== 'ru') ? locale : left;
}

function lastOf(cookies: Visit['cookies']): { locale?: string | undefined; id?: string | undefined } {
  const [locale, id] = (cookies[LAST] ?? '').split(' ');
  return { locale, id };
}
