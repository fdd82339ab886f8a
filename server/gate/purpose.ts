import { canSend, currencies, payKindOf, takesFor, type CurrencyInfo } from '../payments/index.ts';
import { isReversible } from '../compliance/index.ts';

/** Name of the purpose `invoices`, for which rails can be switched on or off. */
export const INVOICES = 'invoices';

/** Returns the name of the customer whose payments to one invoice are added up while a reorg may still take them back. */
export const payerOf = (invoiceId: string): string => `invoice:${invoiceId}`;

/**
 * True if invoices can be paid by a currency in general: its rail sends too, so that money can go back, and it is no voucher.
 */
export const isMethod = ({ code }: CurrencyInfo): boolean => canSend(code) && payKindOf(code) !== 'voucher';

/**
 * Returns the currencies by which invoices can be paid, whether their rails are switched on or not. `hasReversible`: false to leave
 * out those whose payments can be taken back for months.
 */
export const allMethods = (hasReversible: boolean): CurrencyInfo[] =>
  currencies().filter((info) => isMethod(info) && (hasReversible || !isReversible(info.code)));

/** True if people let a method's rail take payments of invoices. The answer may be half a second old. */
export const isTaken = ({ rail }: CurrencyInfo): boolean => takesFor(rail, INVOICES);
