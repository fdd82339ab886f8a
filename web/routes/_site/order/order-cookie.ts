import { LOCALE_COOKIE, type Visit } from '../../../server/routing/visit.ts';
import type { SiteLocale } from '../../../site.ts';
import { PLACED_SECONDS } from '../exchange/calculation-cookie.ts';

/** Returns the name of the cookie that holds the token of one order. Only the web server reads it. */
const orderCookie = (id: string): string => `order-${id}`;
/**
 * Name of the cookie with the number of the last order that the customer left for a payment system, and the language of its page.
 * Some payment systems redirect back without the number and the language.
 */
const LAST = 'order-last';

/**
 * Allows this browser to open an order for a day by the order's number alone, because payment systems redirect back without the
 * token.
 */
export function storeOrder(visit: Visit, { id, token }: { id: string; token: string }): void {
  visit.setCookie(orderCookie(id), token, PLACED_SECONDS);
  visit.setCookie(LAST, `${visit.locale} ${id}`, PLACED_SECONDS);
}

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
 * Returns the language in which the customer left the last order's page for a payment system. If the visitor selected the current
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
