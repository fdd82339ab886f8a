// The page of a store's webhook with the stub of the API: why deliveries failed, in the reader's language.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Output, Routes } from '@kurs/contract';
import { type Answers, merchant, storeAs } from '../testing/gate/answers.ts';
import { PREFIXES, WORDS, plain, showBusiness } from '../testing/gate/show-business.ts';

type Delivery = Output<Routes['storeWebhookDeliveries']>[number];

const now = new Date('2026-11-20T14:05:12Z');
const store = storeAs('business', 'owner', now).id;
const ID = '0199a7d2-7a3e-7c10-9f00-000000000801';

/** Errors of requests as the log has them, with the words that people read. */
const ERRORS = {
  'Timeout: no connection': 'webhooks_error_connection',
  'connect EHOSTUNREACH 203.0.113.9:443': 'webhooks_error_connection',
  'Timeout: no answer': 'webhooks_error_silent',
  'no whole answer in time': 'webhooks_error_partial',
  'connect ECONNREFUSED 203.0.113.9:443': 'webhooks_error_refused',
  'the connection was closed': 'webhooks_error_closed',
  'read ECONNRESET': 'webhooks_error_closed',
  'the name has no address': 'webhooks_error_name',
  'queryA ENOTFOUND shop.example.com': 'webhooks_error_name',
  'the address is not public': 'webhooks_error_private',
  'certificate has expired': 'webhooks_error_certificate',
  "Hostname/IP does not match certificate's altnames": 'webhooks_error_certificate',
} as const;

const deliveryWith = (more: Partial<Delivery>, at = 0): Delivery => ({
  ...{ id: `${ID.slice(0, -2)}${20 + at}`, at: now.toISOString(), type: 'invoice.settled', state: 'waiting', tries: 1 },
  ...more,
});

/** Shows the page of a webhook whose log has these deliveries. */
async function show(prefix: 'En' | 'Ru', deliveries: readonly Delivery[]): Promise<string> {
  const answers: Answers = {
    ...merchant(now),
    storeWebhook: (): Output<Routes['storeWebhook']> => ({
      ...{ id: ID, url: 'https://shop.example.com/hook', body: 'kurs', created_at: now.toISOString() },
      ...{ state: 'failing', since: now.toISOString(), said: 'Timeout: no answer', missed: 0 },
    }),
    storeWebhookDeliveries: () => ({ data: deliveries, meta: { current_page: 1, per_page: 20, last_page: 1, total: 1 } }),
  };
  return (await showBusiness(now, answers, `/store/webhook?store=${store}&id=${ID}`, { prefix })).text;
}

for (const prefix of PREFIXES) {
  const words = WORDS[prefix];

  test(`a request without an answer has its reason in words (${prefix})`, async () => {
    const text = await show(
      prefix,
      Object.keys(ERRORS).map((said, at) => deliveryWith({ said }, at)),
    );
    for (const [error, key] of Object.entries(ERRORS)) {
      assert.ok(text.includes(plain(words[key])), key);
      assert.ok(!text.includes(error), error);
    }
    const last = plain(words.webhooks_last_answer).replace('{answer}', plain(words.webhooks_error_silent));
    assert.ok(text.includes(last), 'why the webhook fails');
  });

  test(`an unknown error and the words of the address itself stay as they are (${prefix})`, async () => {
    const unknown = await show(prefix, [deliveryWith({ said: 'Parse Error: Expected HTTP/' })]);
    assert.ok(unknown.includes(`${plain(words.webhooks_error_other)}: Parse Error: Expected HTTP/`));
    const answered = await show(prefix, [deliveryWith({ status: 503, said: 'Timeout: no answer' })]);
    assert.ok(answered.includes('HTTP 503 · Timeout: no answer'));
  });
}
