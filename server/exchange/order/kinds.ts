// Names that rooms below store for orders' codes and outgoing money. Those rooms don't know orders.

import { defineCodePurpose } from '../../auth/index.ts';

/** Purpose of the one-time codes that are mailed for an order. */
export const ORDER_CODE = defineCodePurpose('order');

/** Kind of outgoing money: an order's payout. */
export const ORDER_OUT = 'order';
/** Kind of outgoing money: a refund to an order's customer. */
export const REFUND_OUT = 'refund';
