import type { PayPal } from './client.ts';
import * as shapes from './shapes.ts';

/** The messages that name a batch and its sender's id, in the order in which they come. */
const KINDS = ['PROCESSING', 'SUCCESS', 'DENIED'].map((state) => `PAYMENT.PAYOUTSBATCH.${state}`);
const PATH = '/v1/notifications/webhooks-events';
const PAGE = 300;
/** How many pages of one kind one look reads at most. */
const MOST_PAGES = 20;
const UUID_7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7/;

/**
 * PayPal's id of a payout batch by ours, from the messages that PayPal has kept (Webhooks v1, `webhooks-events`), page after
 * page from the moment on in which our id was made. There is no look-up by our id; sending it again would tell, but a look-up
 * must not be able to pay. Undefined where no message tells, which proves nothing: they are kept for 30 days and come after
 * the batch. Throws `Unreachable`.
 */
export async function madeIn(paypal: PayPal, reference: string): Promise<string | undefined> {
  for (const kind of KINDS) {
    let query: string | undefined = `${new URLSearchParams({ page_size: `${PAGE}`, event_type: kind, ...since(reference) })}`;
    for (let page = 0; query !== undefined && page < MOST_PAGES; page += 1) {
      const list: shapes.PayPalEvents | undefined = await paypal.read(`${PATH}?${query}`, shapes.events);
      const id = idAmong(list?.events ?? [], reference);
      if (id !== undefined) return id;
      query = list && nextOf(list);
    }
  }
  return undefined;
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
