import type { PayPal } from './client.ts';
import * as shapes from './shapes.ts';

/** Types of messages that name a batch and its sender's id, in the order in which PayPal sends them. */
const KINDS = ['PROCESSING', 'SUCCESS', 'DENIED'].map((state) => `PAYMENT.PAYOUTSBATCH.${state}`);
const PATH = '/v1/notifications/webhooks-events';
const PAGE = 300;
/** Highest number of pages of one type that one look-up reads. */
const MAX_PAGES = 20;
const UUID_7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7/;

/**
 * Returns PayPal's id of a payout batch by our id, from the messages that PayPal stores (Webhooks v1, `webhooks-events`). Reads
 * them from the time of our id on. PayPal has no look-up by our id. Sending the batch again would return it, but a look-up must
 * never be able to pay. Returns undefined if no message names the batch. That proves nothing: messages are stored for 30 days
 * and come after the batch. Throws `Unreachable`.
 */
export async function madeIn(paypal: PayPal, reference: string): Promise<string | undefined> {
  for (const kind of KINDS) {
    for await (const events of pagesOf(paypal, kind, since(reference))) {
      const id = idAmong(events, reference);
      if (id !== undefined) return id;
    }
  }
  return undefined;
}

/** Returns the batches that PayPal's messages name since a time: PayPal's ids by the sender's ids. Throws `Unreachable`. */
export async function madeSince(paypal: PayPal, from: Date): Promise<Map<string, string>> {
  const made = new Map<string, string>();
  for (const kind of KINDS) {
    for await (const events of pagesOf(paypal, kind, { start_time: from.toISOString() })) {
      for (const one of events) {
        const header = shapes.event.safeParse(one).data?.resource.batch_header;
        const ours = header?.sender_batch_header?.sender_batch_id;
        if (ours !== undefined && header?.payout_batch_id) made.set(ours, header.payout_batch_id);
      }
    }
  }
  return made;
}

async function* pagesOf(paypal: PayPal, kind: string, from: { start_time?: string }): AsyncGenerator<readonly unknown[]> {
  let query: string | undefined = `${new URLSearchParams({ page_size: `${PAGE}`, event_type: kind, ...from })}`;
  for (let page = 0; query !== undefined && page < MAX_PAGES; page += 1) {
    const list: shapes.PayPalEvents | undefined = await paypal.read(`${PATH}?${query}`, shapes.events);
    yield list?.events ?? [];
    query = list && nextOf(list);
  }
}

function idAmong(events: readonly unknown[], reference: string): string | undefined {
  for (const one of events) {
    const header = shapes.event.safeParse(one).data?.resource.batch_header;
    if (header?.sender_batch_header?.sender_batch_id === reference && header.payout_batch_id) return header.payout_batch_id;
  }
  return undefined;
}

/** Returns the query of the link to the next page. The rest of the link is ignored, so that no link sends our token elsewhere. */
function nextOf({ links }: shapes.PayPalEvents): string | undefined {
  const link = links.find(({ rel }) => rel === 'next');
  const [, query] = link?.href.split('?') ?? [];
  return query === '' ? undefined : query;
}

/** Returns the start of a search, by the time in our id (UUID version 7): no message about the id is older. */
function since(reference: string): { start_time?: string } {
  const [, high = '', low = ''] = UUID_7.exec(reference) ?? [];
  return high === '' ? {} : { start_time: new Date(Number.parseInt(high + low, 16)).toISOString() };
}
