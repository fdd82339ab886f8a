// What orders are called in the rooms below, which know no orders.

import { defineCodePurpose } from '../../auth/index.ts';

/** What a code that is mailed for an order allows. */
export const ORDER_CODE = defineCodePurpose('order');

/** Money that leaves for an order, and money of its customer that goes back. */
export const ORDER_OUT = 'order';
export const REFUND_OUT = 'refund';
