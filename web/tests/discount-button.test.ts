// Page behind the discount button of a letter. Opening it changes nothing.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Transport, createClient } from '@kurs/contract/client';
import type { Site, SiteRequest } from '../site.ts';
import { askText } from '../testing/ask-text.ts';
import { stubSite } from '../testing/serve.ts';
import { stubTransport } from '../testing/stub.ts';

const link = (locale: string, token = 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx'): string => `/${locale}/discount?token=${token}`;
let site: Site;
before(async () => {
  site = await stubSite({ url: 'http://kurs.test' });
});

const ask = (url: string, request?: Partial<SiteRequest>): ReturnType<typeof askText> => askText(site, url, request);

test('opening the link only asks; submitting the form applies the discount', async () => {
  for (const [locale, press, done] of [
    ['En', 'Yes, apply my discount', '10% off the fee'],
    ['Ru', 'Да, применить мою скидку', 'Скидка 10% с\u00a0комиссии'],
  ] as const) {
    const opened = await ask(link(locale));
    assert.equal(opened.status, 200);
    assert.ok(opened.body.includes(press) && !opened.body.includes(done));
    assert.match(opened.body, /<meta name="robots" content="noindex">/);
    const sent = await ask(link(locale), { method: 'POST', body: '' });
    assert.equal(sent.status, 200);
    assert.ok(sent.body.includes(done));
  }
});

test('a truncated or expired link says so, and another site can’t submit the form', async () => {
  assert.ok((await ask('/En/discount')).body.includes('This link is no longer good'));
  const wrong = await ask(link('En', 'wrong'), { method: 'POST', body: '' });
  assert.equal(wrong.status, 404);
  assert.ok(wrong.body.includes('This link is no longer good'));
  const foreign = await ask(link('En'), { method: 'POST', body: '', headers: { 'sec-fetch-site': 'cross-site' } });
  assert.equal(foreign.status, 403);
});

test('the review mentions such letters if the desk has discounts, in words for customers', async () => {
  const ID = '0199a7d2-7a3e-7c10-9f00-3f1c5e2b7a10';
  const url = `/En/exchange?id=${ID}`;
  const cookies = { [`calculation-${ID}`]: 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx' };
  const headers = { 'sec-fetch-site': 'same-origin' };
  const details = 'intent=details&receive.address=0x1&refund.address=rb1q&email=a%40example.org&terms_accepted=yes';
  for (const mails_discounts of [true, false]) {
    const stub = stubTransport(() => new Date());
    const transport: Transport = async (call) =>
      call.name === 'step3' ? { ...((await stub(call)) as object), mails_discounts } : stub(call);
    const own = await stubSite({ url: 'http://kurs.test', client: createClient(transport) });
    assert.equal((await askText(own, url, { method: 'POST', body: details, cookies, headers })).status, 303);
    const { body } = await askText(own, url, { cookies });
    assert.ok(body.includes('Check your order and place it'));
    assert.equal(body.split('If this address has a discount').length - 1, mails_discounts ? 1 : 0);
    assert.doesNotMatch(body, /screening/i);
  }
});
