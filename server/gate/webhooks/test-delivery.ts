// A test delivery: an event about an invoice that doesn't exist, sent to one webhook once.

import type { Input, Output, Routes } from '@kurs/contract';
import { fieldProblem, GREENFIELD_EVENTS, STORE_EVENTS } from '@kurs/contract';
import { deliveriesOfEvent, publish } from '../../deliveries/index.ts';
import { type Db, newId } from '../../platform/index.ts';
import { bodyOfOwner } from '../events/owners.ts';
import { openStore } from '../stores/store-rows.ts';
import type { MaybeTest } from './kinds.ts';
import { readWebhook, requireOn } from './webhooks.ts';

/** Sample of an event's content, and the fields that plug-ins read. */
const SAMPLE = {
  kurs: (id: string, currency: string) => ({
    data: {
      ...{ id, number: 'KI-0000-0000', version: 1, state: 'settled', currency, amount: '1.00', credited: '1.00' },
      ...{ pending: '0.00', due: '0.00', order_id: 'test', test: true },
    },
  }),
  greenfield: (invoiceId: string, _currency: string, storeId: string) => ({
    ...{ invoiceId, storeId, fields: { manuallyMarked: false, overPaid: false, partiallyPaid: false } },
  }),
};

/**
 * Sends a test delivery to a webhook. `event`: its type; the first one that the webhook takes if left out. Throws `not_found`,
 * `webhook_off`, and `validation` for an event that the webhook doesn't take.
 */
export const sendTest = (
  db: Db,
  { event, ...of }: Input<Routes['storeWebhookTest']>,
): Promise<Output<Routes['storeWebhookTest']>> =>
  db.tx(async (tx) => {
    const { id: endpoint, owner, types } = await readWebhook(tx, of);
    await requireOn(tx, endpoint);
    const body = bodyOfOwner(owner);
    const taken = types ?? (body === 'kurs' ? STORE_EVENTS : GREENFIELD_EVENTS);
    const type = event ?? taken[0] ?? '';
    if (!taken.includes(type)) throw fieldProblem('event', 'wrong_value');
    const { invoiceCurrency, id: storeId } = await openStore(tx, of.store);
    const id = newId();
    const sample = SAMPLE[body](`__test__${id}__test__`, invoiceCurrency, storeId);
    const mark: MaybeTest = { isTest: true };
    await publish(tx, { id, owner, type, endpoint, body: { ...sample, metadata: '{"orderId":"test"}', ...mark } });
    const [delivery] = await deliveriesOfEvent(tx, id);
    if (delivery === undefined) throw new Error('a test delivery was not stored');
    return { delivery };
  });
