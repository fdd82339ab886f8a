import type { PayPal } from './client.ts';
import * as shapes from './shapes.ts';

/** The messages that name a batch and its sender's id, in the order in which they come. */
const KINDS = ['PROCESSING', 'SUCCESS', 'DENIED'].map((state) => `PAYMENT.PAYOUTSBATCH.${state}`);
const PATH = '/v1/notifications/webhooks-events';
const PAGE = 300;
/** How many pages of one kind one look reads at most. */
const MAX_PAGES = 20;
const UUID_7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7/;

/**
 * PayPal's id of a payout batch by ours, from the messages that PayPal has kept (Webhooks v1, `webhooks-events`), page after
 * page from the moment on in which our id was made. There is no look-up by our id; sending it again would tell, but a look-up
 * must not be able to pay. Undefined where no message tells, which proves nothing: they are kept for 30 days and come after
 * the batch. Throws `Unreachable`.
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

/** The batches that PayPal's messages name, from a moment on: PayPal's id by the sender's. Throws `Unreachable`. */
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

/** What the link to the next page asks for; only that is believed of it, so that no link leads our token elsewhere. */
function nextOf({ links }: shapes.PayPalEvents): string | undefined {
  const link = links.find(({ rel }) => rel === 'next');
  const [, query] = link?.href.split('?') ?? [];
  return query === '' ? undefined : query;
}

/** An id of ours says when it was made (uuid version 7): nothing of it can be older. */
function since(reference: string): { start_time?: string } {
  const [, high = '', low = ''] = UUID_7.exec(reference) ?? [];
  return high === '' ? {} : { start_time: new Date(Number.parseInt(high + low, 16)).toISOString() };
}
