import type { PayPal } from './client.ts';
import * as shapes from './shapes.ts';

/** The messages that name a batch and its sender's id, in the order in which they come. */
const KINDS = ['PROCESSING', 'SUCCESS', 'DENIED'].map((state) => `PAYMENT.PAYOUTSBATCH.${state}`);
const MOST = 300;
const UUID_7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7/;

/**
 * PayPal's id of a payout batch by ours, from the messages that PayPal has kept (Webhooks v1, `webhooks-events`). There is
 * no look-up by our id; sending it again would tell, but a look-up must not be able to pay. Undefined where no message
 * tells, which proves nothing: they are kept for 30 days and come after the batch.
 */
export async function madeIn(paypal: PayPal, reference: string): Promise<string | undefined> {
  for (const kind of KINDS) {
    const query = new URLSearchParams({ page_size: `${MOST}`, event_type: kind, ...since(reference) });
    const list = await paypal.read(`/v1/notifications/webhooks-events?${query}`, shapes.events);
    for (const one of list?.events ?? []) {
      const header = shapes.event.safeParse(one).data?.resource.batch_header;
      if (header?.sender_batch_header?.sender_batch_id === reference && header.payout_batch_id) return header.payout_batch_id;
    }
  }
  return undefined;
}

/** An id of ours says when it was made (uuid version 7): nothing of it can be older. */
function since(reference: string): { start_time?: string } {
  const [, high = '', low = ''] = UUID_7.exec(reference) ?? [];
  return high === '' ? {} : { start_time: new Date(Number.parseInt(high + low, 16)).toISOString() };
}
