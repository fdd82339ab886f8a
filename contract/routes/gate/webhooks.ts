// Calls about a store's webhooks, and the events that they report.

import { z } from 'zod';
import { webhookUrl } from '../../fields/webhook-url.ts';
import { route } from '../../route.ts';
import { GREENFIELD_EVENTS, INVOICE_EVENTS, REFUND_EVENTS, SETTLEMENT_EVENTS, STORE_EVENTS } from '../../webhook-events.ts';
import { amount, id, longPage, orderId, time, unitCode } from '../../wire.ts';
import { invoiceId, invoiceMarkWord, invoicePayment, invoiceState, metadata } from './invoice-wire.ts';
import { claimRow, refundRow } from './refunds.ts';
import { settlement } from './settlements.ts';
import { ofStore, storeId } from './stores.ts';

const managed = {
  ...ofStore,
  tag: 'Webhooks',
  allows: ['user: webhooks.manage', 'key: webhooks.manage'],
} as const;

const wrong = { error: 'wrong_value' };
const anyEvent = z.enum([...STORE_EVENTS, ...GREENFIELD_EVENTS], wrong);
const events = z.array(anyEvent, wrong).min(1, { error: 'events_none' }).max(STORE_EVENTS.length, wrong);
const body = z.enum(['kurs', 'greenfield'], wrong).meta({
  description:
    '`kurs`: `{type, timestamp, data}`, as in `/store/{store}/events` · `greenfield`: as BTCPay Server sends it, with `test: true` for a test store',
});
const secret = z
  .string()
  .min(16, { error: 'secret_length' })
  .max(128, { error: 'secret_length' })
  .regex(/^\P{C}+$/u, { error: 'secret_length' });

/** Fields of every event. */
const head = {
  /** Id of the event, which is also `webhook-id`. */
  id,
  timestamp: time,
};
const isTest = z.boolean().meta({ description: 'True for a test store, in which no money moves' });

const invoiceEvent = z
  .object({
    ...head,
    type: z.enum(INVOICE_EVENTS),
    data: z.object({
      /** Id of the invoice. */
      id: invoiceId,
      number: orderId,
      /** Version of the invoice after the event: a later event of the same invoice has a higher one. */
      version: z.int(),
      state: invoiceState,
      currency: unitCode,
      amount: amount.optional(),
      credited: amount,
      pending: amount,
      due: amount.optional(),
      order_id: z.string().optional(),
      test: isTest,
      mark: invoiceMarkWord.optional().meta({ description: 'For `invoice.marked`: what the store marked the invoice as' }),
      /** Payment that the event is about. */
      payment: invoicePayment.optional(),
      metadata,
    }),
  })
  .meta({ id: 'InvoiceEvent' });

/** Content of an event of a refund. The account that a claimant named is left out; `/store/{store}/refund` has it. */
const { to: _to, ...claimInEvent } = claimRow;
const { email: _email, created_at: _created, ...refundInEvent } = refundRow;

const refundEvent = z
  .object({
    ...head,
    type: z.enum(REFUND_EVENTS),
    data: z.object({
      ...refundInEvent,
      order_id: z.string().optional().meta({ description: 'That of the refunded invoice' }),
      /** Claim that the event is about. */
      claim: z.object(claimInEvent).optional(),
    }),
  })
  .meta({ id: 'RefundEvent' });

const settlementEvent = z
  .object({ ...head, type: z.enum(SETTLEMENT_EVENTS), data: settlement.extend({ test: isTest }) })
  .meta({ id: 'SettlementEvent' });

const storeEvent = z.discriminatedUnion('type', [invoiceEvent, refundEvent, settlementEvent]).meta({ id: 'StoreEvent' });

export const storeEvents = route({
  ...ofStore,
  tag: 'Webhooks',
  allows: ['user: invoices.read', 'key: invoices.read'],
  method: 'GET',
  path: '/store/:store/events',
  summary:
    'Events of the last 30 days, oldest first. Store `next` and send it as `after`: no event is skipped. Events of one invoice or refund are ordered by `version`',
  input: z.object({
    ...storeId,
    after: z.string().max(120, { error: 'too_long' }).optional(),
    limit: z.coerce.number().int().min(1).max(100).default(50),
  }),
  output: z.object({
    events: z.array(storeEvent),
    next: z.string().meta({ description: 'Value of `after` for the next call, also if there are no events now' }),
    more: z.boolean().meta({ description: 'True if the next call returns more at once' }),
  }),
  problems: [],
});

/** The last answer, or the reason why there was none. */
const answer = { status: z.int().optional(), said: z.string().optional() };

const webhook = z
  .object({
    id,
    url: z.string(),
    body,
    /** Events that are sent; absent for all. */
    events: z.array(anyEvent).optional(),
    created_at: time,
    state: z.enum(['on', 'failing', 'off']).meta({
      description: '`failing`: none was accepted since `since` · `off`: none has been sent since then, until it is switched on',
    }),
    since: time.optional(),
    reason: z.enum(['gone', 'failing']).optional().meta({
      description: 'Why it is off: the address answered 410, or accepted none for five days',
    }),
    ...answer,
    /** Number of events that came while the webhook was off, and have not been sent since. */
    missed: z.int(),
    /** Time until which the former secret signs, too. */
    former_secret_until: time.optional(),
  })
  .meta({ id: 'Webhook' });
/** `secret`: signs deliveries, and opens nothing here. */
const withSecret = webhook.extend({ secret: z.string() }).meta({ id: 'NewWebhook' });

export const storeWebhooks = route({
  ...managed,
  method: 'GET',
  path: '/store/:store/webhooks',
  summary: 'A store’s webhooks, the oldest first',
  input: z.object(storeId),
  output: z.array(webhook),
  problems: [],
});

export const storeWebhook = route({
  ...managed,
  method: 'GET',
  path: '/store/:store/webhook',
  summary: 'A webhook',
  input: z.object({ ...storeId, id }),
  output: webhook,
  problems: ['not_found'],
});

export const storeWebhookMake = route({
  ...managed,
  method: 'POST',
  path: '/store/:store/webhooks/make',
  summary:
    'Make a webhook. Its secret is shown only in this answer. A `secret` of your own is used as it is: its bytes key both signatures',
  input: z.object({
    ...storeId,
    url: webhookUrl,
    body: body.default('kurs'),
    events: events.optional().meta({ description: 'Absent for all' }),
    secret: secret.optional(),
  }),
  output: withSecret,
  problems: ['store_without_members', 'too_many_webhooks', 'record_altered'],
  isIdempotent: true,
});

export const storeWebhookChange = route({
  ...managed,
  method: 'PATCH',
  path: '/store/:store/webhook',
  summary: 'Change the address or the events of a webhook; `events: null` for all. It then counts as working again',
  input: z.object({ ...storeId, id, url: webhookUrl.optional(), events: events.nullable().optional() }),
  output: webhook,
  problems: ['not_found', 'record_altered'],
});

export const storeWebhookRemove = route({
  ...managed,
  method: 'POST',
  path: '/store/:store/webhooks/remove',
  summary: 'Remove a webhook with its log. What waits for it is not sent',
  input: z.object({ ...storeId, id }),
  output: z.undefined(),
  isEmpty: true,
  problems: ['not_found'],
});

export const storeWebhookRotate = route({
  ...managed,
  method: 'POST',
  path: '/store/:store/webhooks/rotate',
  summary:
    'Give a webhook a new secret. For 24 hours both sign `webhook-signature`, and the former one alone `BTCPay-Sig`. A `secret` of your own is in force at once, alone',
  input: z.object({ ...storeId, id, secret: secret.optional() }),
  output: withSecret,
  problems: ['not_found'],
});

export const storeWebhookEndFormer = route({
  ...managed,
  method: 'POST',
  path: '/store/:store/webhooks/end-former-secret',
  summary: 'End the former secret of a webhook at once',
  input: z.object({ ...storeId, id }),
  output: webhook,
  problems: ['not_found'],
});

export const storeWebhookOn = route({
  ...managed,
  method: 'POST',
  path: '/store/:store/webhooks/switch-on',
  summary: 'Switch a webhook on again. With `missed`, events that came while it was off are sent, too',
  input: z.object({ ...storeId, id, missed: z.boolean().default(false) }),
  output: webhook,
  problems: ['not_found'],
});

const deliveryState = z.enum(['waiting', 'taken', 'given_up', 'missed', 'overtaken'], wrong).meta({
  id: 'WebhookDeliveryState',
  description:
    '`waiting`: is sent, or tried again at `next` · `taken`: accepted · `given_up`: failed for days · `missed`: came while the webhook was off · `overtaken`: failed, and a later event of the invoice was sent instead',
});
const delivery = {
  id,
  at: time,
  type: z.string(),
  /** Id of the invoice that the event is about; absent for a test delivery. */
  invoice: z.string().optional(),
  /** Id of the refund that the event is about; absent for a test delivery. */
  refund: z.string().optional(),
  state: deliveryState,
  tries: z.int(),
  next: time.optional(),
  ...answer,
};

export const storeWebhookDeliveries = route({
  ...managed,
  method: 'GET',
  path: '/store/:store/webhooks/deliveries',
  summary: 'Deliveries of a webhook in the last 30 days, the newest first',
  input: z.object({ ...storeId, id, state: deliveryState.optional(), ...longPage }),
  output: z.array(z.object(delivery).meta({ id: 'WebhookDelivery' })),
  problems: ['not_found'],
  isList: true,
});

export const storeWebhookDelivery = route({
  ...managed,
  method: 'GET',
  path: '/store/:store/webhooks/delivery',
  summary: 'A delivery with its body and its attempts, the oldest first',
  input: z.object({ ...storeId, id }),
  output: z
    .object({
      ...delivery,
      /** Id of the webhook. */
      webhook: id,
      body: z.string(),
      attempts: z.array(z.object({ at: time, latency_ms: z.int(), ...answer })),
    })
    .meta({ id: 'WebhookDeliveryDetails' }),
  problems: ['not_found'],
});

export const storeWebhookReplay = route({
  ...managed,
  method: 'POST',
  path: '/store/:store/webhooks/replay',
  summary: 'Send a delivery again, under the same `webhook-id`',
  input: z.object({ ...storeId, id }),
  output: z.undefined(),
  isEmpty: true,
  problems: ['not_found', 'delivery_overtaken', 'webhook_off'],
});

export const storeWebhookTest = route({
  ...managed,
  method: 'POST',
  path: '/store/:store/webhooks/test',
  summary:
    'Send a test delivery once, about an invoice, refund or settlement whose id begins with `__test__`. Its answer stands in the log',
  input: z.object({ ...storeId, id, event: anyEvent.optional() }),
  output: z.object({ delivery: id }),
  problems: ['not_found', 'webhook_off'],
});
