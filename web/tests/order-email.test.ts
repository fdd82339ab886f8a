// The page of an unallocated payment whose payer left no address: it asks for one before a choice, without scripts as well.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallError, createClient } from '@kurs/contract/client';
import en from '../locales/en-US.json' with { type: 'json' };
import { textOf } from '../testing/ask-text.ts';
import { type Answers, refusal, withAnswers } from '../testing/gate/answers.ts';
import { sceneOf } from '../testing/scenes.ts';
import { stubSite } from '../testing/serve.ts';

const ID = 'KX-STRA-Y000';
const URL = `/En/order?id=${ID}&token=c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx`;
const plain = (text: string): string => text.replace(/\s+/g, ' ');
const clock = (): Date => new Date();
const order = () => ({ ...sceneOf(ID, clock()), email: '', needs_email: true, choices: [] });

/** Requests the page; with `form`, posts that form. Calls are recorded in `made`. */
async function show(answers: Answers = {}, form?: Record<string, string>, made: [string, unknown][] = []) {
  const known = withAnswers(clock, { trackOrder: order, ...answers });
  const client = createClient(async (call) => {
    made.push([call.name, call.input]);
    return known(call);
  });
  const site = await stubSite({ url: 'https://kurs.test', client });
  const { status, body } = await site.handle({
    ...{ method: form ? 'POST' : 'GET', url: URL, cookies: {} },
    headers: { host: 'kurs.test', 'sec-fetch-site': 'same-origin' },
    ...(form && { body: new URLSearchParams(form).toString() }),
  });
  return { status, body, text: plain(textOf(body)) };
}

test('asks for an address, and offers no choice', async () => {
  const { status, body, text } = await show();
  assert.equal(status, 200);
  assert.match(body, /<input[^>]* name="email"/);
  assert.ok(text.includes(plain(en.order_email_lead)) && text.includes(en.order_email_send));
  assert.ok(!text.includes(plain(en.review_updates)), 'no row for the address that is missing');
  assert.doesNotMatch(body, /http-equiv="refresh"/i);
  const usual = await show({ trackOrder: () => sceneOf(ID, clock()) });
  assert.ok(!usual.text.includes(en.order_email_send));
});

test('sends the address, and keeps a wrong one in its field', async () => {
  const made: [string, unknown][] = [];
  const taken = await show({ orderEmail: order }, { intent: 'email', email: ' ann@example.org ' }, made);
  assert.equal(taken.status, 303);
  const [, given] = made.find(([name]) => name === 'orderEmail') ?? assert.fail('it was not sent');
  assert.equal((given as { email: string }).email, 'ann@example.org');
  const refuse: Answers = {
    orderEmail: () => {
      throw refusal({ email: ['Enter a complete address'] });
    },
  };
  const wrong = await show(refuse, { intent: 'email', email: 'ann' });
  assert.equal(wrong.status, 422);
  assert.match(wrong.body, /id="field-email"[^>]*aria-invalid="true"/);
  assert.ok(wrong.text.includes('Enter a complete address') && wrong.body.includes('value="ann"'));
});

test('says that an address is known already', async () => {
  const message = 'The order has changed in the meantime.';
  const late: Answers = {
    orderEmail: () => {
      throw new CallError(409, { code: 'order_changed', message });
    },
  };
  const { status, text } = await show(late, { intent: 'email', email: 'ann@example.org' });
  assert.equal(status, 409);
  assert.ok(text.includes(message));
});
