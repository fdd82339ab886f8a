// Names of orders' money and codes in the rooms below, which don't know orders.

import { defineCodePurpose } from '../../auth/index.ts';

/** Purpose of the codes that are mailed for an order. */
export const ORDER_CODE = defineCodePurpose('order');

/** Kinds of outgoing money: an order's payout, and a refund to its customer. */
export const ORDER_OUT = 'order';
export const REFUND_OUT = 'refund';
