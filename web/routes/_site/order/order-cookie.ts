import { LOCALE_COOKIE, type Visit } from '../../../server/routing/visit.ts';
import type { SiteLocale } from '../../../site.ts';
import { PLACED_SECONDS } from '../exchange/calculation-cookie.ts';

/** Returns the name of the cookie that holds the token of one order. Only the web server reads it. */
const orderCookie = (id: string): string => `order-${id}`;
/**
 * Name of the cookie with the number and the language of the order whose page the customer left last. Some payment systems send
 * neither of them back.
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
 * Returns the key of an order that this browser may open. Without a number, returns that of the order whose page was left last.
 * Returns undefined if this browser has no such cookie.
 */
export function storedOrder({ cookies }: Visit, named?: string): { id: string; token: string } | undefined {
  const id = named ?? lastOf(cookies).id;
  const token = id === undefined ? undefined : cookies[orderCookie(id)];
  return id === undefined || token === undefined ? undefined : { id, token };
}

/**
 * Returns the language of the order's page that was left last, unless the visitor has chosen the current language by the language
 * switch.
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
