import type { Visit } from '../../../server/routing/visit.ts';
import { PLACED_SECONDS } from '../exchange/calculation-cookie.ts';
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

/** Returns the id of an invoice that this browser left for a payment system; undefined if it has no cookie for the number. */
export const storedInvoice = ({ cookies }: Visit, number: string): string | undefined => cookies[payCookie(number)];
