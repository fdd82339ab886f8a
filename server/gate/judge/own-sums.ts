// Sums that the accounts of an invoice should have, by its payments. Pure.

import { type AccountRef, accounts } from '../../ledger/index.ts';
import { type Invoice, inOf, setOf } from '../invoices/invoice.ts';

/** An account of an invoice with its balance, in parts of the account's unit. */
export interface OwnSum {
  readonly account: AccountRef;
  readonly parts: bigint;
}

/** Returns the balances that the accounts of an invoice should have, for each payment. Balances of zero are left out. */
export const ownSums = ({ id, terms, payments }: Pick<Invoice, 'id' | 'terms' | 'payments'>): OwnSum[] =>
  payments.flatMap((payment) => {
    const { unit, reserve, booked } = payment;
    const [into, set] = [inOf(payment), setOf(payment)];
    return [
      ...(into > 0n ? [{ account: accounts.invoiceIn(id, unit), parts: into }] : []),
      ...(booked && set > 0n ? [{ account: accounts.invoiceSet(id, booked.unit), parts: set }] : []),
      ...(reserve > 0n ? [{ account: accounts.invoiceReserve(id, terms.settlement.unit), parts: reserve }] : []),
    ];
  });
