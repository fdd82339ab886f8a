// A payout whose answer was lost is found among PayPal's messages, however many there are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PayPal } from './client.ts';
import { madeIn } from './made-events.ts';

const OURS = '019abcde-0000-7000-8000-000000000001';

const event = (id: string, batch: string) => ({
  id,
  event_type: 'PAYMENT.PAYOUTSBATCH.SUCCESS',
  resource: { batch_header: { payout_batch_id: batch, sender_batch_header: { sender_batch_id: id } } },
});

/** A PayPal whose list has a page of others' messages before each but the last; it tells which pages were asked for. */
function listing(pages: number, last: readonly object[]) {
  const requests: string[] = [];
  const read: PayPal['read'] = async (path, shape) => {
    requests.push(path);
    const at = Number.parseInt(new URL(path, 'http://p').searchParams.get('page') ?? '1', 10);
    const others = Array.from({ length: 300 }, (_, index) => event(`other-${at}-${index}`, `BATCH${index}`));
    const next = { rel: 'next', href: `https://elsewhere.example${path.split('?')[0]}?event_type=X&page=${at + 1}` };
    return shape.parse(at < pages ? { events: others, links: [next] } : { events: last, links: [] }) as never;
  };
  return { paypal: { read, post: () => assert.fail('a look-up sends nothing') }, requests };
}

test('the pages behind the first are read, by PayPal’s own links and never elsewhere', async () => {
  const { paypal, requests } = listing(3, [event(OURS, 'MINE')]);
  assert.equal(await madeIn(paypal, OURS), 'MINE');
  assert.equal(requests.length, 3);
  for (const path of requests) assert.match(path, /^\/v1\/notifications\/webhooks-events\?/);
});

test('a list without an end is left after some pages, and nothing is concluded from it', async () => {
  const { paypal, requests } = listing(Infinity, []);
  assert.equal(await madeIn(paypal, OURS), undefined);
  assert.equal(requests.length, 60, 'of each kind of message twenty pages');
});
