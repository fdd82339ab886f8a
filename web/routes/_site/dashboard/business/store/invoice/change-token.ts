import type { Output, Routes } from '@kurs/contract';

/** State of an invoice, with its version and the confirmations of payments that are not final. */
export type InvoiceStatus = Output<Routes['paymentInvoiceStatus']>;

/** Returns the id that the event stream of an invoice gives to a status. */
export const changeTokenOf = ({ version, confirmations }: InvoiceStatus): string =>
  confirmations === undefined ? String(version) : `${version}+${confirmations}`;
