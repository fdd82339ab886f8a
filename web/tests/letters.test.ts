// Page behind a letter's List-Unsubscribe: for people, and for mail programs that unsubscribe automatically (RFC 8058).

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Site, SiteRequest } from '../site.ts';
import { askText } from '../testing/ask-text.ts';
import { stubSite } from '../testing/serve.ts';

const ID = '0199a7d2-7a3e-7c10-9f00-3f1c5e2b7a10';
const link = (locale: string, token = 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx'): string =>
  `/${locale}/letters?holder=${ID}&token=${token}`;
let site: Site;
before(async () => {
  site = await stubSite({ url: 'http://kurs.test' });
});

const ask = (url: string, request?: Partial<SiteRequest>): ReturnType<typeof askText> => askText(site, url, request);
/** Request of a mail program: without an origin, with one field. */
const oneClick = { method: 'POST', body: 'List-Unsubscribe=One-Click' };

test('opening the link only asks; the form or a mail program’s request switches the letters off', async () => {
  for (const [locale, off, done] of [
    ['En', 'Switch these e\u2011mails off', 'These e\u2011mails are off'],
    ['Ru', 'Отключить эти письма', 'Эти письма отключены'],
  ] as const) {
    const opened = await ask(link(locale));
    assert.equal(opened.status, 200);
    assert.ok(opened.body.includes(off) && !opened.body.includes(done));
    assert.match(opened.body, /<meta name="robots" content="noindex">/);
    const sent = await ask(link(locale), oneClick);
    assert.equal(sent.status, 200, 'no redirect');
    assert.ok(sent.body.includes(done));
  }
});

test('a truncated or wrong link says so, and leads to the settings', async () => {
  const half = await ask('/En/letters');
  assert.ok(half.body.includes('This link doesn’t switch anything off') && half.body.includes('href="/En/dashboard/account"'));
  const wrong = await ask(link('En', 'wrong'), oneClick);
  assert.equal(wrong.status, 404);
  assert.ok(wrong.body.includes('This link doesn’t switch anything off'));
  const foreign = await ask(link('En'), { ...oneClick, headers: { 'sec-fetch-site': 'cross-site' } });
  assert.equal(foreign.status, 403, 'a page of another site');
});

test('the link of a monthly letter about rewards switches off that letter alone', async () => {
  const rewards = link('En').replace('?', '?of=rewards&');
  const opened = await ask(rewards);
  assert.ok(opened.body.includes('The monthly e\u2011mail about your rewards'));
  const sent = await ask(rewards, oneClick);
  assert.equal(sent.status, 200);
  assert.ok(sent.body.includes('These e\u2011mails are off') && sent.body.includes('href="/En/dashboard/affiliates"'));
});
