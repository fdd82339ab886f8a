import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf, untranslated } from './page-faults.ts';
import { readPage } from './read-page.ts';

const BASE = 'http://kurs.test';
const HEAD = `<title>Rates · Kurs</title>
<meta name="description" content="All directions with rate, fee, reserve and usual time, and a search.">
<link rel="canonical" href="${BASE}/En/rates"><link rel="alternate" hreflang="en" href="${BASE}/En/rates">
<link rel="alternate" hreflang="ru" href="${BASE}/Ru/rates"><link rel="alternate" hreflang="x-default" href="${BASE}/En/rates">`;
const BODY = `<h1>Rates &amp; fees</h1><p id="a">One <a href="/Ru" lang="ru">Русский</a> <code>{order_id}</code></p>
<!-- Ф --><script>const a = '<h1>Ф</h1>';</script><img src="/a.svg" alt="">`;
const html = (head = HEAD, body = BODY, language = 'en'): string =>
  `<!doctype html><html lang="${language}"><head>${head}</head><body>${body}</body></html>`;
const faults = (address: string, text: string): string[] => faultsOf(address, readPage(text), BASE);

test('a page’s links, ids, head and words in its language are read', () => {
  const page = readPage(html());
  assert.deepEqual([page.language, page.headings, page.titles], ['en', 1, ['Rates · Kurs']]);
  assert.deepEqual(page.texts, ['Rates & fees', 'One']);
  assert.deepEqual([...page.ids], ['a']);
  assert.deepEqual(page.links.slice(-2), ['/Ru', '/a.svg']);
  assert.equal(page.head['alternate ru'], `${BASE}/Ru/rates`);
});

test('a correct page has no faults; each kind of fault is found', () => {
  assert.deepEqual(faults('/En/rates?page=2', html()), []);
  assert.deepEqual(faults('/En/mine', html('<title>Mine · Kurs</title><meta name="robots" content="noindex">')), []);
  for (const [broken, words] of [
    [html(HEAD, BODY, 'ru'), /^lang is ru/],
    [html(HEAD, `${BODY}<h1>Again</h1>`), /^how many h1 is 2/],
    [html(HEAD.replace(/<title>.*?<\/title>/, '')), /^how many titles is 0/],
    [html(HEAD.replace(/(canonical" href="[^"]*)/, '$1/x')), /^canonical is/],
    [html(HEAD.replace('hreflang="ru"', 'hreflang="de"')), /^hreflang ru is undefined/],
    [html(HEAD.replace(/content="[^"]*"/, 'content="Short"')), /^description Short/],
    [html(HEAD, `${BODY}<p id="a">`), /^id a stands twice/],
    [html(HEAD, `${BODY}<p>Until {time}</p>`), /^a blank is left/],
    [html(HEAD, `${BODY}<p>undefined BTC</p>`), /^nothing stands/],
    [html(HEAD, `${BODY}<p>skip_link</p>`), /^the key skip_link/],
    [html(HEAD, `${BODY}<p>You pay 90.00 MONEYGO_USD</p>`), /^the code MONEYGO_USD/],
    [html(HEAD, `${BODY}<nav aria-label="From USDT_TRC20">`), /^the code USDT_TRC20/],
    [html(HEAD, `${BODY}<p>Курс</p>`), /^Russian in English/],
  ] as const)
    assert.match(faults('/En/rates', broken)[0] ?? 'nothing was found', words);
});

test('an untranslated sentence is found; names and codes are not reported', () => {
  const page = readPage(html('', '<p>Send what you have</p><p>USDT на Ethereum</p><p>Binance Smart Chain</p>', 'ru'));
  assert.deepEqual(untranslated(page), ['Send what you have']);
});
