// Where a refund may go: to where the payment came from, where its rail gives back there; only else where its owner says.

import type { OrderView } from '../order.ts';

/** Whether a refund goes to the very account that has paid. Then no customer names another: that would be an exchange. */
export const goesToPayer = ({ refund, payments }: Pick<OrderView, 'refund' | 'payments'>): boolean =>
  refund !== undefined && payments.some(({ standing, source }) => standing === 'final' && source?.key === refund.key);

/**
 * Whether it may go nowhere else even where that fails: anyone who paid can take their payment back for months, and would
 * have it twice. Two operators can still let an owner have it who proved themselves.
 */
export const goesToPayerOnly = ({ pinned, payments }: Pick<OrderView, 'pinned' | 'payments'>): boolean =>
  pinned.reversible && payments.some(({ source }) => source !== undefined);
