// A test delivery: an event about an invoice, refund or settlement that doesn't exist, sent to one webhook once.

import type { Input, Output, Routes } from '@kurs/contract';
import { fieldProblem, GREENFIELD_EVENTS, STORE_EVENTS } from '@kurs/contract';
import { deliveriesOfEvent, publish } from '../../deliveries/index.ts';
import { type Db, newId } from '../../platform/index.ts';
import { bodyOfOwner } from '../events/owners.ts';
import type { GreenfieldBody, InvoiceEventBody, OtherEventBody } from '../events/told.ts';
import { openStore } from '../stores/store-rows.ts';
import type { MaybeTest } from './kinds.ts';
import { readWebhook, requireOn } from './webhooks.ts';

/** Sample of an event: about an invoice, a refund or a settlement with this id, in the invoice currency of the store. */
interface Sample {
  readonly id: string;
  readonly currency: string;
  readonly storeId: string;
  readonly type: string;
}

const METADATA = '{"orderId":"test"}';

const SAMPLE = {
  kurs: ({ type, ...of }: Sample) => {
    if (type.startsWith('refund.')) return refundSample(of);
    return type === 'settlement.moved' ? movedSample(of) : invoiceSample({ type, ...of });
  },
  greenfield: ({ id, storeId }: Sample): GreenfieldBody => ({
    ...{
      invoiceId: id,
      storeId,
      isOfTestStore: true,
      fields: { manuallyMarked: false, overPaid: false, partiallyPaid: false },
      metadata: METADATA,
    },
  }),
};

const invoiceSample = ({ id, currency, type }: Sample): InvoiceEventBody => ({
  data: {
    ...{ id, number: 'KI-0000-0000', version: 1, state: 'settled', currency, amount: '1.00', credited: '1.00' },
    ...{ pending: '0.00', due: '0.00', order_id: 'test', test: true },
    ...(type === 'invoice.marked' && { mark: 'settled' }),
  },
  metadata: METADATA,
});

function refundSample({ id, currency }: Omit<Sample, 'type'>): OtherEventBody {
  const sum = { amount: '1.00', currency };
  const expires_at = new Date(0).toISOString();
  return {
    data: {
      ...{
        id,
        number: 'KR-0000-0000',
        state: 'open',
        amount: sum,
        taken: sum,
        left: [sum],
        returned: [],
        expires_at,
        version: 1,
      },
      ...{ order_id: 'test', test: true },
    },
  };
}

const movedSample = ({ id, currency }: Omit<Sample, 'type'>): OtherEventBody => ({
  data: {
    ...{ id, direction: 'to_wallet', sum: { amount: '1.00', currency }, usd: '1.00', cause: 'owner' },
    ...{ at: new Date(0).toISOString(), test: true },
  },
});

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
    const sample = SAMPLE[body]({ id: `__test__${id}__test__`, currency: invoiceCurrency, storeId, type });
    const mark: MaybeTest = { isTest: true };
    await publish(tx, { id, owner, type, endpoint, body: { ...sample, ...mark } });
    const [delivery] = await deliveriesOfEvent(tx, id);
    if (delivery === undefined) throw new Error('a test delivery was not stored');
    return { delivery };
  });
