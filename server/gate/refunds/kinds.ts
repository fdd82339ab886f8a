// Names that rooms below store for refunds of stores. Those rooms don't know refunds.

import { defineCodePurpose } from '../../auth/index.ts';

/** Kind of owners of payouts, and kind of money out: a claim of a refund. */
export const STORE_REFUND = 'store_refund';

/** Purpose of the codes that are mailed to the address for which a refund was made. */
export const REFUND_CODE = defineCodePurpose('store_refund');
