// MoneyGo's messages: nothing in them is believed, and at most 120 a minute cause a poll.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hintReader } from './messages.ts';

const REFERENCE = '7K3M9Q2XW4TB8ZND';
const webhook = (body: string) => ({ raw: Buffer.from(body), headers: {} });

test('a message with a reference of our form is a hint, in every field that may carry it', () => {
  const read = hintReader(() => 0);
  for (const body of [
    `{"payment_id":"${REFERENCE}","status":"SUCCESS"}`,
    `{"data":{"external_id":"${REFERENCE}"}}`,
    `{"processing_pay":{"payment_id":"${REFERENCE}"}}`,
    `{"id":"${REFERENCE}"}`,
    `payment_id=${REFERENCE}&status=SUCCESS`,
  ])
    assert.deepEqual(read(webhook(body)), { isProven: true, to: REFERENCE }, body);
});

test('a message without a reference of our form is refused', () => {
  const read = hintReader(() => 0);
  for (const body of [
    ...['', '{', 'null', '[]', '{}', '{"payment_id":12}', `{"payment_id":["${REFERENCE}"]}`],
    ...[`{"payment_id":"${REFERENCE}1"}`, `{"payment_id":"${REFERENCE.toLowerCase()}"}`, `{"note":"${REFERENCE}"}`],
    ...['{"payment_id":"ILOUILOUILOUILOU"}', `{"data":null,"processing_pay":"${REFERENCE}"}`],
  ])
    assert.deepEqual(read(webhook(body)), { isProven: false }, body);
});

test('at most 120 messages a minute are accepted', () => {
  let now = 0;
  const read = hintReader(() => now);
  const good = webhook(`{"payment_id":"${REFERENCE}"}`);
  const taken = Array.from({ length: 500 }, () => read(good)).filter(({ isProven }) => isProven);
  assert.equal(taken.length, 120);
  now = 60_001;
  assert.equal(read(good).isProven, true);
});
