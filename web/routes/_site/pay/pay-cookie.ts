import type { Visit } from '../../../server/routing/visit.ts';
import { PLACED_SECONDS } from '../exchange/calculation-cookie.ts';
import { pageUrl } from '../../pages.ts';
import { storeLast } from '../order/order-cookie.ts';

/** First letters of an invoice's number. */
const PREFIX = 'KI-';

/** True for the number of an invoice; orders and deposits have numbers with other beginnings. */
export const isInvoiceNumber = (number: string): boolean => number.startsWith(PREFIX);

const payCookie = (number: string): string => `invoice-${number}`;

/**
 * Allows this browser to find an invoice for a day by the invoice's number, because payment systems redirect back without its id.
 */
export function storeInvoice(visit: Visit, { number, id }: { number: string; id: string }): void {
  visit.setCookie(payCookie(number), id, PLACED_SECONDS);
  storeLast(visit, number);
}

/** Name of the cookie with the payer's secret. It is valid for the page of one invoice, so its name needs no id. */
const PAYER = 'payer';
/** Lifetime of that cookie in seconds: longer than an invoice can be paid late in practice, and its payer may take to decide. */
const PAYER_SECONDS = 60 * 24 * 60 * 60;
const SECRET = /^[\w-]{20,100}$/;

/**
 * Stores the payer's secret of an invoice for the invoice's page in both languages. Its holder decides about money that the
 * invoice doesn't need. The page has it inside a shop's frame, too.
 */
export function storePayer(visit: Visit, id: string, secret: string): void {
  for (const locale of ['en', 'ru'] as const) visit.setFramedCookie(PAYER, secret, PAYER_SECONDS, pageUrl(locale, 'pay', { id }));
}

/** Returns the payer's secret of the invoice whose page is requested; undefined if this browser doesn't have it. */
export function storedPayer({ cookies }: Visit): string | undefined {
  const secret = cookies[PAYER];
  return secret !== undefined && SECRET.test(secret) ? secret : undefined;
}

/** Returns the id of an invoice that this browser left for a payment system; undefined if it has no cookie for the number. */
export const storedInvoice = ({ cookies }: Visit, number: string): string | undefined => cookies[payCookie(number)];
