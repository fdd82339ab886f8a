// Calls about links of stores. A buyer who opens a link may make an invoice and pay it.

import { z } from 'zod';
import { line } from '../../fields/free-text.ts';
import { route } from '../../route.ts';
import { amount, id, orderId, time, unitCode } from '../../wire.ts';
import { invoiceId } from './invoice-wire.ts';
import { buyersStore } from './pay.ts';
import { ofStore, storeId } from './stores.ts';

const ofLinks = { ...ofStore, allows: ['user: invoices.manage', 'key: invoices.manage'], tag: 'Links' } as const;

const title = line().min(1, { error: 'required' }).max(100, { error: 'too_long' });
const maxUses = z.int({ error: 'uses_format' }).min(1, { error: 'uses_format' }).max(1_000_000, { error: 'uses_format' }).meta({
  description: 'Number of invoices that may be paid by the link. A buyer holds a use while the price of their payment is locked',
});

/** Fields of a link that members and buyers read alike. */
const linkRow = {
  id,
  title: line(),
  currency: unitCode,
  /** Fixed sum; absent if the buyer states it. */
  amount: amount.optional(),
  /** Bounds of the sum that the buyer states. */
  least: amount.optional(),
  most: amount.optional(),
  /** Address of the link's picture. */
  picture: z.string().optional(),
};

export const storeLink = z
  .object({
    ...linkRow,
    /** Address of the page that buyers open. */
    url: z.string(),
    /** Absent for any number. */
    max_uses: z.int().optional(),
    /** Number of invoices to which a payment was seen. */
    uses: z.int(),
    /** Number of invoices that are being paid: the price of their payment is locked. */
    uses_held: z.int(),
    /** False if no invoice is made by the link now. */
    on: z.boolean(),
    created_at: time,
  })
  .meta({ id: 'StoreLink' });

const sums = {
  amount: amount
    .optional()
    .meta({ description: 'Fixed sum. Without it, `least` and `most` bound the sum that the buyer states' }),
  least: amount.optional(),
  most: amount.optional(),
  currency: unitCode.optional(),
};
const theLink = { ...storeId, id };

export const storeLinks = route({
  ...ofLinks,
  method: 'GET',
  path: '/store/:store/links',
  summary: 'A store’s links, the newest first',
  input: z.object(storeId),
  output: z.array(storeLink),
  problems: [],
});

export const storeLinkMake = route({
  ...ofLinks,
  method: 'POST',
  path: '/store/:store/links/make',
  summary: 'Make a link, with a fixed sum or with bounds of the sum that the buyer states',
  input: z.object({ ...storeId, title, ...sums, max_uses: maxUses.optional() }),
  output: storeLink,
  problems: ['links_too_many', 'record_altered'],
  isIdempotent: true,
});

export const storeLinkChange = route({
  ...ofLinks,
  method: 'POST',
  path: '/store/:store/links/change',
  summary:
    'Change a link, or switch it on or off. Fields that are left out stay; sum, bounds and currency change together. Existing invoices keep their terms',
  input: z.object({
    ...theLink,
    title: title.optional(),
    ...sums,
    max_uses: maxUses.nullable().optional(),
    on: z.boolean().optional(),
  }),
  output: storeLink,
  problems: ['link_unknown', 'record_altered'],
});

export const storeLinkRemove = route({
  ...ofLinks,
  method: 'POST',
  path: '/store/:store/links/remove',
  summary: 'Remove a link. Its invoices stay',
  input: z.object(theLink),
  output: z.object({}),
  problems: ['link_unknown', 'record_altered'],
});

export const storeLinkPictureRemove = route({
  ...ofLinks,
  method: 'POST',
  path: '/store/:store/links/picture/remove',
  summary: 'Remove a link’s picture',
  input: z.object(theLink),
  output: storeLink,
  problems: ['link_unknown', 'record_altered'],
});

const ofBuyer = { allows: 'public', tag: 'Payment' } as const;

export const paymentLink = route({
  ...ofBuyer,
  method: 'GET',
  path: '/payment/link',
  summary: 'A link as its buyers see it',
  input: z.object({ id }),
  output: z
    .object({
      ...linkRow,
      store: buyersStore,
      test: z.boolean(),
      closed: z.enum(['off', 'used_up']).optional().meta({
        description: '`off`: its owner switched it off · `used_up`: all its uses are spent, or held by buyers who are paying',
      }),
    })
    .meta({ id: 'PayLink' }),
  problems: ['link_unknown', 'record_altered'],
});

export const paymentLinkPay = route({
  ...ofBuyer,
  method: 'POST',
  path: '/payment/link/pay',
  summary: 'Make the invoice of a link, which its buyer then pays',
  input: z.object({
    id,
    amount: amount.optional().meta({ description: 'Sum that the buyer states; not for a link with a fixed sum' }),
  }),
  output: z.object({ id: invoiceId, number: orderId }),
  problems: [
    'link_unknown',
    'link_off',
    'link_used_up',
    'store_limit',
    'record_altered',
    'business_not_approved',
    'store_closed',
    'invoice_too_small',
    'method_closed',
    'rates_unavailable',
  ],
  isIdempotent: true,
});
