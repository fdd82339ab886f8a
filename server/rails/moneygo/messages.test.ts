// MoneyGo's messages: nothing in them is believed, and only so many a minute cost a look.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hintReader } from './messages.ts';

const REFERENCE = '7K3M9Q2XW4TB8ZND';
const webhook = (body: string) => ({ raw: Buffer.from(body), headers: {} });

test('a message that names a reference of our form is a hint, wherever it names it', () => {
  const read = hintReader(() => 0);
  for (const body of [
    `{"payment_id":"${REFERENCE}","status":"SUCCESS"}`,
    `{"data":{"external_id":"${REFERENCE}"}}`,
    `{"processing_pay":{"payment_id":"${REFERENCE}"}}`,
    `{"id":"${REFERENCE}"}`,
    `payment_id=${REFERENCE}&status=SUCCESS`,
  ])
    assert.deepEqual(read(webhook(body)), { proven: true, to: REFERENCE }, body);
});

test('what names none is nothing', () => {
  const read = hintReader(() => 0);
  for (const body of [
    ...['', '{', 'null', '[]', '{}', '{"payment_id":12}', `{"payment_id":["${REFERENCE}"]}`],
    ...[`{"payment_id":"${REFERENCE}1"}`, `{"payment_id":"${REFERENCE.toLowerCase()}"}`, `{"note":"${REFERENCE}"}`],
    ...['{"payment_id":"ILOUILOUILOUILOU"}', `{"data":null,"processing_pay":"${REFERENCE}"}`],
  ])
    assert.deepEqual(read(webhook(body)), { proven: false }, body);
});

test('only so many a minute cost a look', () => {
  let now = 0;
  const read = hintReader(() => now);
  const good = webhook(`{"payment_id":"${REFERENCE}"}`);
  const taken = Array.from({ length: 500 }, () => read(good)).filter(({ proven }) => proven);
  assert.equal(taken.length, 120);
  now = 60_001;
  assert.equal(read(good).proven, true);
});
