// A preview of a buyer's payment, for members and API keys.

import { z } from 'zod';
import { route } from '../../route.ts';
import { amount, currencyCode, money, unitCode } from '../../wire.ts';
import { payMethod } from './pay.ts';
import { ofStore, storeId } from './stores.ts';

const previewMethod = payMethod
  .extend({
    /** Sum for the store, after spread and costs that it bears and after the fee; absent for a closed method. */
    received: money.optional(),
    /** The desk's fee within it. */
    fee: money.optional(),
  })
  .meta({ id: 'PreviewMethod' });

export const storePreview = route({
  ...ofStore,
  tag: 'Invoices',
  allows: ['user: invoices.read', 'key: invoices.read'],
  method: 'GET',
  path: '/store/:store/preview',
  summary:
    'What a buyer would pay now for a sum, by each method of the store, cheapest first, and what the store would receive. Makes no invoice',
  input: z.object({ ...storeId, amount, currency: unitCode.optional() }),
  output: z.object({
    amount,
    currency: unitCode,
    /** Bearer of spread and costs. */
    costs_bearer: z.enum(['buyer', 'store']),
    settlement_currency: currencyCode,
    methods: z.array(previewMethod),
  }),
  problems: ['store_closed', 'record_altered'],
});
