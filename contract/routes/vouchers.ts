// Vouchers of an order: a customer pays the order by entering a voucher, or sees the voucher that the order bought.

import { z } from 'zod';
import { codeHandle } from '../confirming.ts';
import { route } from '../route.ts';
import { accountFields, time } from '../wire.ts';
import { HOLDER_STOPS } from './account/money-out.ts';
import { MAILED, order, orderCode, placedOrder } from './exchange.ts';

export const orderRedeem = route({
  method: 'POST',
  path: '/order/redeem',
  allows: 'public',
  tag: 'Orders',
  summary: 'Enter a voucher towards an order: entering it is the payment',
  input: z.object({ ...placedOrder, fields: accountFields }),
  output: order,
  problems: ['order_not_found', 'record_altered', 'order_changed', 'too_many_entries'],
  isIdempotent: true,
});

export const orderVoucher = route({
  method: 'POST',
  path: '/order/voucher',
  allows: 'public',
  mayKnowUser: true,
  tag: 'Orders',
  summary:
    'Show a bought voucher’s number and code. It takes a mailed code, except the first time in the browser that placed the order, or with its owner’s session',
  input: z.object({ ...placedOrder, otp: orderCode, handle: codeHandle.optional() }),
  output: z.object({ fields: accountFields, until: time }),
  problems: ['order_not_found', 'record_altered', 'nothing_to_show', 'voucher_sealed', ...HOLDER_STOPS, ...MAILED],
});
