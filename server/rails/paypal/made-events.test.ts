// Tests that a payout with a lost answer is found among any number of PayPal's messages.

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

/** A fake PayPal with a list of `pages` pages: other messages, then `last` on the last page. `requests`: the pages read. */
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

test('reads further pages by PayPal’s links, and only from PayPal’s API', async () => {
  const { paypal, requests } = listing(3, [event(OURS, 'MINE')]);
  assert.equal(await madeIn(paypal, OURS), 'MINE');
  assert.equal(requests.length, 3);
  for (const path of requests) assert.match(path, /^\/v1\/notifications\/webhooks-events\?/);
});

test('stops reading an endless list, and concludes nothing from it', async () => {
  const { paypal, requests } = listing(Infinity, []);
  assert.equal(await madeIn(paypal, OURS), undefined);
  assert.equal(requests.length, 60, 'it reads twenty pages of each kind of message');
});
