import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { KeptLinks } from './kept-links.ts';

const LINK = { url: '/En?ref=ANN00001', headers: { 'accept-language': 'en' } };
const ANSWER = {
  page: { status: 302, head: { location: '/En', 'set-cookie': ['kurs_ref=ANN00001~1'] }, bodies: { body: Buffer.alloc(0) } },
  reference: { code: 'ANN00001', campaign: '' },
};

test('who opens the same link within a second has the same answer, and nobody whose answer hangs on more', () => {
  const kept = new KeptLinks();
  assert.equal(kept.ready(LINK), undefined);
  kept.keep(LINK, ANSWER);
  assert.deepEqual(kept.ready({ ...LINK })?.page, ANSWER.page);
  for (const headers of [
    { ...LINK.headers, cookie: 'kurs_ref=BOB00001~1' },
    { ...LINK.headers, authorization: 'Bearer x' },
    { 'accept-language': 'ru' },
    { ...LINK.headers, 'sec-fetch-dest': 'image' },
  ])
    assert.equal(kept.ready({ ...LINK, headers }), undefined, JSON.stringify(headers));
  assert.equal(kept.ready({ ...LINK, url: '/En?ref=BOB00001' }), undefined);
});

test('an answer that was made for somebody with a cookie or a session is nobody else’s', () => {
  const kept = new KeptLinks();
  for (const more of [{ cookie: 'i18n_redirected=ru' }, { authorization: 'Bearer x' }]) kept.keep({ ...LINK, headers: { ...LINK.headers, ...more } }, ANSWER); // prettier-ignore
  kept.keep({ ...LINK, url: `${LINK.url}&sub=${'x'.repeat(400)}` }, ANSWER);
  assert.equal(kept.ready(LINK), undefined);
});

test('an answer is kept for a second', (t) => {
  let now = performance.now();
  mock.method(performance, 'now', () => now);
  t.after(() => mock.restoreAll());
  const kept = new KeptLinks();
  kept.keep(LINK, ANSWER);
  now += 999;
  assert.ok(kept.ready(LINK));
  now += 2;
  assert.equal(kept.ready(LINK), undefined);
});
