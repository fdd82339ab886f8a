// The page that the button of a letter leads to: it changes nothing by being opened.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Site, SiteRequest } from '../site.ts';
import { askText } from '../testing/ask-text.ts';
import { stubSite } from '../testing/serve.ts';

const link = (locale: string, token = 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx'): string => `/${locale}/discount?token=${token}`;
let site: Site;
before(async () => {
  site = await stubSite({ url: 'http://kurs.test' });
});

const ask = (url: string, request?: Partial<SiteRequest>): ReturnType<typeof askText> => askText(site, url, request);

test('opening the link asks; the form alone applies the discount', async () => {
  for (const [locale, press, done] of [
    ['En', 'Yes, apply my discount', '10% off the fee'],
    ['Ru', 'Да, применить мою скидку', 'Скидка 10% с\u00a0комиссии'],
  ] as const) {
    // prettier-ignore
    const opened = await ask(link(locale));
    assert.equal(opened.status, 200);
    assert.ok(opened.body.includes(press) && !opened.body.includes(done));
    assert.match(opened.body, /<meta name="robots" content="noindex">/);
    const sent = await ask(link(locale), { method: 'POST', body: '' });
    assert.equal(sent.status, 200);
    assert.ok(sent.body.includes(done));
  }
});

test('a link that is cut off or over says so, and another site can’t press the button', async () => {
  assert.ok((await ask('/En/discount')).body.includes('This link is no longer good'));
  const wrong = await ask(link('En', 'wrong'), { method: 'POST', body: '' });
  assert.equal(wrong.status, 404);
  assert.ok(wrong.body.includes('This link is no longer good'));
  const foreign = await ask(link('En'), { method: 'POST', body: '', headers: { 'sec-fetch-site': 'cross-site' } });
  assert.equal(foreign.status, 403);
});
