import { LOCALE_COOKIE, type Visit } from '../../../server/routing/visit.ts';
import type { SiteLocale } from '../../../site.ts';
import { PLACED_SECONDS } from '../exchange/calculation-cookie.ts';

/** Name of the cookie that holds the token of one order. Only the web server reads it. */
const orderCookie = (id: string): string => `order-${id}`;
/**
 * Name of the cookie with the number and the language of the order that was left last: some payment systems send neither back.
 */
const LAST = 'order-last';

/** Allows this browser to open an order for a day by its number alone. A payment system that redirects back sends no more. */
export function storeOrder(visit: Visit, { id, token }: { id: string; token: string }): void {
  visit.setCookie(orderCookie(id), token, PLACED_SECONDS);
  visit.setCookie(LAST, `${visit.locale} ${id}`, PLACED_SECONDS);
}

/**
 * Returns the key of an order that this browser may open; without a number the one that was left last. Undefined in other
 * browsers.
 */
export function storedOrder({ cookies }: Visit, named?: string): { id: string; token: string } | undefined {
  const id = named ?? lastOf(cookies).id;
  const token = id === undefined ? undefined : cookies[orderCookie(id)];
  return id === undefined || token === undefined ? undefined : { id, token };
}

/** Returns the language of the page that was left last, unless this browser's language cookie chose the shown one. */
export function leftLocale({ cookies, locale }: Visit): SiteLocale {
  const left = lastOf(cookies).locale;
  const chosen = cookies[LOCALE_COOKIE]?.toLowerCase();
  return chosen === locale || (left !== 'en' && left !== 'ru') ? locale : left;
}

function lastOf(cookies: Visit['cookies']): { locale?: string | undefined; id?: string | undefined } {
  const [locale, id] = (cookies[LAST] ?? '').split(' ');
  return { locale, id };
}
