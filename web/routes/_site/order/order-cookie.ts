import { LOCALE_COOKIE, type Visit } from '../../../server/routing/visit.ts';
import type { SiteLocale } from '../../../site.ts';
import { PLACED_SECONDS } from '../exchange/calculation-cookie.ts';

/** The cookie that opens one order. Only the web server reads it. */
const orderCookie = (id: string): string => `order-${id}`;
/** The one that names the order that was left last, and in which language: some payment systems bring back neither. */
const LAST = 'order-last';

/** Lets this browser open an order for a day by its number alone, which is all that a payment system brings back. */
export function keepOrder(visit: Visit, { id, token }: { id: string; token: string }): void {
  visit.setCookie(orderCookie(id), token, PLACED_SECONDS);
  visit.setCookie(LAST, `${visit.locale} ${id}`, PLACED_SECONDS);
}

/** What opens an order in this browser; without a number the one that was left last. Undefined in any other browser. */
export function keptOrder({ cookies }: Visit, named?: string): { id: string; token: string } | undefined {
  const id = named ?? lastOf(cookies).id;
  const token = id === undefined ? undefined : cookies[orderCookie(id)];
  return id === undefined || token === undefined ? undefined : { id, token };
}

/** The language of the page that was left last, where this browser's cookie does not choose the one that is shown. */
export function leftLocale({ cookies, locale }: Visit): SiteLocale {
  const left = lastOf(cookies).locale;
  const chosen = cookies[LOCALE_COOKIE]?.toLowerCase();
  return chosen === locale || (left !== 'en' && left !== 'ru') ? locale : left;
}

function lastOf(cookies: Visit['cookies']): { locale?: string | undefined; id?: string | undefined } {
  const [locale, id] = (cookies[LAST] ?? '').split(' ');
  return { locale, id };
}
