import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { createClient } from '@kurs/contract/client';
import { type Challenge, findNumber, solutionToken } from '../features/bot-check/solve.ts';
import { PUBLIC_PAGES, pageUrl } from '../routes/pages.ts';
import type { Site, SiteRequest, SiteResponse } from '../site.ts';
import en from '../locales/en-US.json' with { type: 'json' };
import ru from '../locales/ru-RU.json' with { type: 'json' };
import { SITE } from '../entries/site.ts';
import { compressed } from '../testing/page-size.ts';
import { textOf } from '../testing/ask-text.ts';
import { stubSite } from '../testing/serve.ts';
import { emptyClient, stubClient } from '../testing/stub.ts';

const URL_ = 'http://kurs.test';
const TOKEN = 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx';
const ID = '0199a7d2-7a3e-7c10-9f00-3f1c5e2b7a10';
const SCENES = [
  'WAIT',
  'SEEN',
  'CONF',
  'PART',
  'APPL',
  'CHCK',
  'SHRT',
  'LATE',
  'RFSD',
  'STRA',
  'PAYS',
  'DONE',
  'EXPD',
  'CNCL',
  'RFNG',
  'RFND',
  'RJCT',
];
const PUBLIC = PUBLIC_PAGES.map((page) =>
  pageUrl('en', page, { ...(page === 'service' && { slug: 'btc-usdt-erc20' }) }).slice(3),
);
/** Our own addresses that the server answers besides the site. */
const BESIDE = ['/sandbox/mail', '/api/docs', '/rates.xml', '/rates.json'];
let site: Site;

before(async () => {
  site = await stubSite({ url: URL_ });
});

const ask = (url: string, request: Partial<SiteRequest> = {}): Promise<SiteResponse> =>
  site.handle({ method: 'GET', url, headers: {}, cookies: {}, ...request });
const post = (url: string, form: Record<string, string>, cookies: Record<string, string> = {}): Promise<SiteResponse> =>
  ask(url, { method: 'POST', body: new URLSearchParams(form).toString(), cookies, headers: { 'sec-fetch-site': 'same-origin' } });
const header = (response: SiteResponse, name: string): string | undefined => response.headers.find(([own]) => own === name)?.[1];
/** Names the page in a failure instead of printing its long text. */
const has = (body: string, part: RegExp | string, where = String(part)): void =>
  assert.ok(typeof part === 'string' ? body.includes(part) : part.test(body), `missing: ${where}`);
const lacks = (body: string, part: RegExp, where = String(part)): void =>
  assert.ok(!part.test(body), `found: ${where} ${part.exec(body)?.[0]}`);
const order = (scene: string, locale = 'En'): string => `/${locale}/order?id=KX-${scene}-NG00&token=${TOKEN}`;

test('public pages answer in both languages, with all metadata for search engines', async () => {
  for (const [prefix, language] of [
    ['En', 'en'],
    ['Ru', 'ru'],
  ]) {
    for (const path of PUBLIC) {
      const response = await ask(`/${prefix}${path}`);
      assert.equal(response.status, 200, `${prefix}${path}`);
      assert.equal(response.isCacheable, true);
      has(response.body, new RegExp(`<html lang="${language}" data-theme="light"`));
      has(response.body, /<title>[^<]+ · Kurs<\/title>/);
      has(response.body, /<meta name="description" content="[^"]{50,}"/);
      assert.ok(response.body.includes(`<link rel="canonical" href="${URL_}/${prefix}${path}">`));
      for (const other of ['en', 'ru', 'x-default']) assert.ok(response.body.includes(`hreflang="${other}"`), other);
      assert.equal(response.body.match(/<h1/g)?.length, 1);
    }
  }
});

test('a page’s HTML without its style is at most 11 kB compressed', async () => {
  for (const prefix of ['En', 'Ru']) {
    for (const path of PUBLIC) {
      const html = (await ask(`/${prefix}${path}`)).body.replace(/<style>.*?<\/style>/s, '');
      assert.ok(compressed(html).length <= SITE.budget.html, `${prefix}${path}`);
    }
  }
});

test('an order has a page in every status and both languages, without “undefined” in it', async () => {
  for (const scene of SCENES) {
    for (const locale of ['En', 'Ru']) {
      const response = await ask(order(scene, locale));
      assert.equal(response.status, 200, scene);
      assert.equal(response.isCacheable, false);
      assert.equal(header(response, 'referrer-policy'), 'same-origin');
      assert.equal(header(response, 'cache-control'), 'no-store');
      lacks(textOf(response.body), /undefined|NaN|\[object/, scene);
    }
  }
});

test('no page has an inline style attribute or script, and its policy has its style’s hash', async () => {
  const pages = [
    '/En',
    '/Ru/track',
    '/En/terms-of-services',
    `/En/exchange?id=${ID}&step=2`,
    `/En/exchange?id=${ID}`,
    '/En/nowhere',
    '/En/order?id=KX-XXXX-XXXX&token=wrong',
  ];
  for (const url of [...pages, ...SCENES.map((scene) => order(scene))]) {
    const { body, headers } = await ask(url, { cookies: { [`calculation-${ID}`]: TOKEN } });
    lacks(body, /\sstyle="|\son[a-z]+="/, url);
    const policy = new Map(headers).get('content-security-policy') ?? '';
    const style = /<style>(.*?)<\/style>/s.exec(body)?.[1] ?? '';
    assert.ok(policy.includes(`'sha256-${createHash('sha256').update(style).digest('base64')}'`), url);
    assert.match(policy, /script-src 'self';/);
    for (const [, attributes] of body.matchAll(/<script([^>]*)>/g))
      assert.match(attributes as string, /src="\/assets\/|type="application\/(ld\+)?json"/);
  }
});

test('each link leads to an existing page, section or file', async () => {
  const seen = new Set<string>();
  const queue = [...PUBLIC.flatMap((path) => [`/En${path}`, `/Ru${path}`]), order('DONE'), order('EXPD'), '/En/nowhere'];
  for (let url = queue.pop(); url !== undefined; url = queue.pop()) {
    const [path = ''] = url.split('#');
    // The sample wallet's steps lead to further ones without end.
    if (seen.has(path) || BESIDE.includes(path) || /did=\w+,/.test(path)) continue;
    seen.add(path);
    if (/^\/(assets|favicon|apple|brand\/(mark|colours)|licences)/.test(path)) {
      assert.ok(existsSync(join(import.meta.dirname, '..', 'dist/client', path)), path);
      continue;
    }
    const response = await ask(path.replaceAll('&#38;', '&'));
    assert.ok(response.status < 400 || path.endsWith('/nowhere'), `${path}: ${response.status}`);
    const next = header(response, 'location');
    if (next) queue.push(next);
    for (const [, href = ''] of response.body.matchAll(/(?:href|src)="([^"]+)"/g)) {
      const target = href.replaceAll('&amp;', '&').replaceAll('&#38;', '&');
      if (target.startsWith('/')) queue.push(target);
      else if (target.startsWith('#')) assert.ok(response.body.includes(`id="${target.slice(1)}"`), `${path}${target}`);
    }
  }
  assert.ok(seen.size > 20);
});

test('links to sections find their target', async () => {
  const { body } = await ask('/En');
  for (const [, id] of body.matchAll(/href="\/En#([a-z]+)"/g)) assert.ok(body.includes(`id="${id}"`), id);
});

test('addresses without a language redirect by the cookie, then the browser’s list, then to English', async () => {
  const to = async (url: string, request: Partial<SiteRequest> = {}): Promise<string | undefined> =>
    header(await ask(url, request), 'location');
  assert.equal(await to('/'), '/En');
  assert.equal(await to('/', { headers: { 'accept-language': 'de, ru;q=0.8, en;q=0.5' } }), '/Ru');
  assert.equal(await to('/', { headers: { 'accept-language': 'ru' }, cookies: { i18n_redirected: 'en' } }), '/En');
  assert.equal(await to('/track?id=1', { cookies: { i18n_redirected: 'ru' } }), '/Ru/track?id=1');
  assert.equal(await to('/ru/track?id=1'), '/Ru/track?id=1');
  assert.equal(await to('/En/track/'), '/En/track');
  assert.equal(header(await ask('/'), 'vary'), 'Cookie, Accept-Language');
  assert.equal((await ask('/')).status, 302);
});

test('the language switch keeps page and query, lasts a year, and redirects to our own pages alone', async () => {
  const response = await ask('/locale?to=%2FRu%2Ftrack%3Fid%3D1');
  assert.equal(header(response, 'location'), '/Ru/track?id=1');
  assert.match(header(response, 'set-cookie') ?? '', /^i18n_redirected=ru; Path=\/; Max-Age=31536000; SameSite=Lax/);
  const outside = ['//evil.example', 'https://evil.example', '/En\\..\\evil', '/Enevil', '/\\evil', '/En//evil\\', ''];
  for (const evil of [...outside, 'javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,<b>', 'vbscript:x']) {
    assert.equal(header(await ask(`/locale?to=${encodeURIComponent(evil)}`), 'location'), '/', evil);
    assert.equal(header(await post('/theme', { theme: 'dark', to: evil }), 'location'), '/', evil);
  }
});

test('the switches redirect to an address that is valid in a header, whatever was requested', async () => {
  for (const [to, location] of [
    ['/Ru/курс?имя=x', '/Ru/%D0%BA%D1%83%D1%80%D1%81?%D0%B8%D0%BC%D1%8F=x'],
    ['/En/é', '/En/%C3%A9'],
    ['/En/\u0000\u0001', '/En/%00%01'],
    ['/En/100%', '/En/100%'],
  ] as const) {
    assert.equal(header(await ask(`/locale?to=${encodeURIComponent(to)}`), 'location'), location);
    assert.equal(header(await post('/theme', { theme: 'dark', to }), 'location'), location);
  }
});

test('the server renders the theme from its cookie', async () => {
  const response = await post('/theme', { theme: 'dark', to: '/En/track' });
  assert.equal(header(response, 'location'), '/En/track');
  assert.match(header(response, 'set-cookie') ?? '', /^theme=dark;/);
  has((await ask('/En', { cookies: { theme: 'dark' } })).body, /data-theme="dark"/);
  has((await ask('/En', { cookies: { theme: 'nonsense' } })).body, /data-theme="light"/);
});

test('only an anonymous page without a query may be cached, separately by language and theme', () => {
  const key = (url: string, cookies = {}, method = 'GET'): string | undefined =>
    site.cacheKey({ method, url, headers: {}, cookies });
  assert.notEqual(key('/En'), undefined);
  assert.notEqual(key('/En'), key('/Ru'));
  assert.notEqual(key('/En'), key('/En', { theme: 'dark' }));
  assert.equal(key('/En', { theme: 'x'.repeat(9999) }), key('/En'));
  for (const url of ['/En?from=BTC', '/En.data', '/', '/track', '/En/nowhere']) assert.equal(key(url), undefined, url);
  assert.equal(key('/En', {}, 'POST'), undefined);
});

test('an unknown page is a 404 page; an unknown file is a 404 text', async () => {
  const response = await ask('/Ru/nowhere');
  assert.equal(response.status, 404);
  assert.equal(response.isCacheable, false);
  has(response.body, /Страница не\sнайдена: \/Ru\/nowhere/);
  assert.equal((await ask('/nowhere', { headers: { 'accept-language': 'ru' } })).status, 404);
  for (const file of ['/ads.txt', '/assets/nope.js', '/favicon.ico', '/.well-known/other.txt', '/wp-login.php']) {
    const missing = await ask(file);
    assert.equal(missing.status, 404, file);
    assert.match(header(missing, 'content-type') ?? '', /^text\/plain/);
    assert.equal(header(missing, 'cache-control'), 'no-store', file);
  }
});

test('a page is rendered identically for each visit, and in its own language', async () => {
  const stub = stubClient(() => new Date('2026-11-20T14:05:12Z'));
  const [directions, landing] = await Promise.all([stub.directions({}), stub.landing({})]);
  const client = { ...stub, directions: async () => directions, landing: async () => landing };
  const still = await stubSite({ url: URL_, client });
  const at = async (path: string) =>
    (await still.handle({ method: 'GET', url: path, headers: {}, cookies: {} })).body.replace(/<script.*?<\/script>/gs, '');
  for (const path of ['/En?amount=0.01', '/Ru?amount=0.01']) {
    const [first, second] = [await at(path), await at(path)];
    assert.equal(second, first);
    has(second, /<section id="questions"[^>]*>.*<details>/s);
  }
  assert.notEqual(textOf(await at('/En')), textOf(await at('/Ru')));
});

test('a link that opens no order says so, and how to get a valid one', async () => {
  for (const [path, words] of [
    ['/En/order?id=KX-XXXX-XXXX&token=wrong', en.order_missing_title],
    ['/Ru/order?id=x&token=y', ru.order_missing_title],
  ] as const) {
    const { status, body } = await ask(path);
    assert.equal(status, 404);
    has(textOf(body), textOf(words));
    has(body, /href="\/(En|Ru)\/track"/);
  }
});

test('shown values can’t become part of a page’s HTML or data', async () => {
  const { body } = await ask('/En/order%3Cscript%3Ealert(1)%3C%2Fscript%3E');
  lacks(body, /<script>alert/);
  const tracked = await post('/En/track', { id: '"><img src=x>', email: '</script><b>' });
  lacks(tracked.body, /<img src=x>|<\/script><b>/);
});

test('without a script the calculator calculates, swaps and goes on', async () => {
  const form = { from: 'USDT_ERC20', to: 'BTC', give: '1 000,50', was_give: '50,00', get: '0,0005', was_get: '0,0005' };
  const calculated = header(await post('/Ru?index', { ...form, intent: 'calculate' }), 'location');
  assert.equal(calculated, '/Ru?from=USDT_ERC20&to=BTC&side=give&amount=1000.50');
  has(textOf((await ask(calculated as string)).body), /Вы получаете/);
  const other = header(await post('/Ru?index', { ...form, give: '50,00', get: '0,01', intent: 'calculate' }), 'location');
  assert.equal(other, '/Ru?from=USDT_ERC20&to=BTC&side=get&amount=0.01');
  const swapped = header(await post('/Ru?index', { ...form, intent: 'swap' }), 'location') ?? '';
  assert.match(swapped, /^\/Ru\?from=BTC&to=USDT_ERC20&side=give&amount=0\.[0-9]+$/, 'what would be received is given');

  const going = await post('/Ru?index', { ...form, intent: 'continue' });
  assert.equal(going.status, 303);
  assert.equal(header(going, 'location'), `/Ru/exchange?id=${ID}&step=2`);
  assert.match(
    header(going, 'set-cookie') ?? '',
    new RegExp(`^calculation-${ID}=${TOKEN}; Path=/; Max-Age=1800; SameSite=Lax; HttpOnly`),
  );
});

test('the secret of a calculation is in its cookie and nowhere in a page', async () => {
  const cookies = { [`calculation-${ID}`]: TOKEN };
  const { body, status } = await ask(`/En/exchange?id=${ID}`, { cookies });
  assert.equal(status, 200);
  assert.ok(!body.includes(TOKEN));
  const strange = await ask(`/En/exchange?id=${ID}`);
  assert.equal(strange.status, 404);
  has(strange.body, /This calculation has expired/);
});

test('invalid wallet details return with the typed text and an error at each field', async () => {
  const cookies = { [`calculation-${ID}`]: TOKEN };
  const typed = {
    intent: 'details',
    'receive.address': '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    'refund.address': 'TJ7hhYhVhaxNx6BPyq7yFpqZrQULL3JSdb',
    email: 'anna',
  };
  const wrong = await post(`/En/exchange?id=${ID}`, typed, cookies);
  assert.equal(wrong.status, 422);
  has(wrong.body, /<title>Error: Wallet details/);
  has(textOf(wrong.body), /Check 3 fields to continue/);
  assert.ok(wrong.body.includes('value="TJ7hhYhVhaxNx6BPyq7yFpqZrQULL3JSdb"'));
  has(wrong.body, /href="#field-refund-address"/);
  has(wrong.body, /id="field-refund-address"[^>]*aria-invalid="true"/);

  const empty = await post(`/En/exchange?id=${ID}`, { intent: 'details', email: 'anna' }, cookies);
  has(textOf(empty.body), /Check 4 fields to continue/);

  const right = {
    ...typed,
    'refund.address': 'rb1q5m3k0h2tqz8x7w6v5u4t3s2r1p0n9m8l7k6j5h4',
    email: 'anna@example.org',
    terms_accepted: 'yes',
  };
  assert.equal((await post(`/En/exchange?id=${ID}`, right, cookies)).status, 303);
  const review = await ask(`/En/exchange?id=${ID}`, { cookies });
  has(textOf(review.body), /Check your order and place it/);
  const placed = await post(`/En/exchange?id=${ID}`, { intent: 'place' }, cookies);
  assert.match(header(placed, 'location') ?? '', /^\/En\/order\?id=KX-WAIT-NG00&token=/);
  // Going back finds the order by this cookie for a day.
  assert.match(header(placed, 'set-cookie') ?? '', /Max-Age=86400;.*HttpOnly/);
});

test('a payment page shows the whole amount and address, and their QR code', async () => {
  const { body } = await ask(order('WAIT'));
  has(textOf(body), /0\.0100 BTC/);
  assert.match(body.replace(/<\/?(b|wbr)\/?>/g, ''), /rb1q7wz0v9u8t7s6r5q4p3n2m1l0k9j8h7g6f5d4s3/);
  has(body, /<path d="M0 0h7v1h-7z/);
  has(body, /<noscript><meta http-equiv="refresh" content="15"><\/noscript>/);
  lacks((await ask(order('DONE'))).body, /http-equiv="refresh"/);
});

test('a data request returns the loader’s result or a redirect', async () => {
  const data = JSON.parse((await ask(order('SEEN').replace('/order', '/order.data'))).body) as {
    data: { order: { status: string } };
  };
  assert.equal(data.data.order.status, 'seen');
  const moved = JSON.parse((await ask('/En/exchange.data')).body) as { redirect: string };
  assert.equal(moved.redirect, '/En');
  const missing = await ask(`/En/order.data?id=KX-NONE-0000&token=${TOKEN}`);
  assert.equal(missing.status, 404);
  assert.equal((JSON.parse(missing.body) as { failure: { status: number } }).failure.status, 404);
});

test('an internal failure shows a page with a reference, which says that money is safe', async () => {
  const broken = await stubSite({ url: URL_, client: createClient(() => Promise.reject(new Error('The stub is broken'))) });
  const response = await broken.handle({ method: 'GET', url: '/En', headers: {}, cookies: {} });
  assert.equal(response.status, 500);
  has(textOf(response.body), /ref-0001/);
  has(textOf(response.body), /we have a record of it.*money is safe/);
  has(textOf(response.body), /Try again.*Go back.*Go to home/);
  lacks(response.body, /stub is broken/);
});

test('the sandbox shows its banner and button; live mode has neither', async () => {
  has(textOf((await ask(order('WAIT'))).body), /Pay from the sandbox wallet/);
  const live = await stubSite({ url: 'https://kurs.example', mode: 'live' });
  const { body, headers } = await live.handle({ method: 'GET', url: order('WAIT'), headers: {}, cookies: {} });
  lacks(textOf(body), /sandbox/i);
  assert.match(new Map(headers).get('content-security-policy') ?? '', /upgrade-insecure-requests/);
});

test('with real money a visitor’s browser does a little work before the review', async () => {
  const live = await stubSite({ url: 'https://kurs.example', mode: 'live' });
  const cookies = { [`calculation-${ID}`]: TOKEN };
  const send = async (url: string, form?: Record<string, string>): Promise<SiteResponse> =>
    live.handle({
      method: form ? 'POST' : 'GET',
      url,
      headers: {},
      cookies,
      ...(form ? { body: new URLSearchParams(form).toString() } : {}),
    });
  const url = `/En/exchange?id=${ID}`;
  await send(url, {
    intent: 'details',
    'receive.address': '0x1',
    'refund.address': 'rb1q',
    email: 'a@example.org',
    terms_accepted: 'yes',
  });
  has(textOf((await send(url)).body), 'This one check needs JavaScript');
  const { data } = JSON.parse((await send(url.replace('exchange', 'exchange.data'))).body) as {
    data: { step: string; challenge: Challenge };
  };
  assert.equal(data.step, 'check');
  const number = await findNumber(data.challenge);
  const answer = await send(url, { intent: 'review', bot_token: solutionToken(data.challenge, number as number) });
  has(textOf(answer.body), 'Check your order and place it');
});

test('a desk that offers nothing has a home page that says so', async () => {
  const empty = await stubSite({ url: URL_, client: emptyClient(() => new Date()) });
  const { status, body } = await empty.handle({ method: 'GET', url: '/En', headers: {}, cookies: {} });
  assert.equal(status, 200);
  has(textOf(body), 'Nothing can be exchanged right now');
  lacks(body, /<form[^>]*action="\/En\?index"/);
});
