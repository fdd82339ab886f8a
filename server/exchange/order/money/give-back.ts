// Decides where a refund may go: back to the source of the payment if that rail supports it, else to an account that the customer
// names.

import type { OrderView } from '../order.ts';

/** True if a refund goes to the account that paid. The customer then can't name another account, because that would be an exchange. */
export const goesToPayer = ({ refund, payments }: Pick<OrderView, 'refund' | 'payments'>): boolean =>
  refund !== undefined && payments.some(({ status, source }) => status === 'final' && source?.key === refund.key);

/**
 * True if a refund may only go to the account that paid, even if sending it there fails. The payer can take the payment back for
 * months, and could otherwise get the money twice. Only two operators can pay it elsewhere, to a customer who has proven their
 * identity.
 */
export const goesToPayerOnly = ({ pinned, payments }: Pick<OrderView, 'pinned' | 'payments'>): boolean =>
  pinned.isReversible && payments.some(({ source }) => source !== undefined);
