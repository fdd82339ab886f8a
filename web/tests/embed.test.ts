// The calculator for other sites as its server renders it, and the banners.

import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { BANNER_SIZES } from '../brand/banner-sizes.ts';
import { createClient } from '@kurs/contract/client';
import type { Assets } from '../server/document/assets.ts';
import { WIDGET } from '../entries/widget.ts';
import type { Site, SiteResponse } from '../site.ts';
import { stubSite } from '../testing/serve.ts';
import { stubTransport } from '../testing/stub.ts';

const DIST = join(import.meta.dirname, '..', 'dist');
let site: Site;
before(async () => {
  site = await stubSite({ url: 'http://kurs.test' });
});

const ask = (url: string, method = 'GET', of = site): Promise<SiteResponse> =>
  of.handle({ method, url, headers: {}, cookies: { session: 'x', kurs_ref: 'other~1795687200', theme: 'dark' } });
const read = async (url: string, of = site): Promise<string> => (await ask(url, 'GET', of)).body.replaceAll('\u00a0', ' ');
const header = (answer: SiteResponse, name: string): string | undefined => new Map(answer.headers).get(name);

test('the calculator is rendered with its price, and works as a form', async () => {
  const page = await read('/embed/en/calculator?from=BTC&to=USDT_ERC20&amount=0.005&ref=7F3Q2M8C.blog&sub=post-1');
  assert.match(page, /<html lang="en" data-theme="system">/);
  assert.match(page, /<input id="amount" name="amount"[^>]* value="0\.005"/);
  assert.match(page, /<option value="BTC" selected>/);
  assert.match(page, /<output id="get"[^>]*>[1-9][\d,]*\.\d\d<\/output>/);
  assert.match(page, /<dt>Our fee<\/dt><dd>− 0\.000025/);
  assert.match(page, /<button formaction="\/En" formtarget="_blank">/);
  for (const [name, value] of Object.entries({ ref: '7F3Q2M8C.blog', sub: 'post-1' }))
    assert.ok(page.includes(`<input type="hidden" name="${name}" value="${value}">`), name);
  assert.match(page, /href="\/En\?ref=7F3Q2M8C\.blog&#38;sub=post-1"/);
  const russian = await read('/embed/ru/calculator');
  assert.match(russian, /<html lang="ru"/);
  assert.match(russian, /Калькулятор обмена/);
});

/** The stub's API, in which a campaign's links give friends 15 % of the remaining fee. */
const withFriends = createClient(async (call) => {
  const answer = await stubTransport(() => new Date())(call);
  if (call.name !== 'directions' || !('ref' in call.input)) return answer;
  const { directions } = answer as { directions: { terms: object }[] };
  const friend = { code: 'friend', of: 'rest', percent: '15' };
  return { directions: directions.map((one) => ({ ...one, terms: { ...one.terms, discounts: [friend] } })) };
});

test('with a campaign’s reference the price includes the friend’s discount as a line', async () => {
  const wish = 'from=BTC&to=USDT_ERC20&amount=0.005';
  const friendly = await stubSite({ url: 'http://kurs.test', client: withFriends });
  const page = await read(`/embed/en/calculator?${wish}&ref=7F3Q2M8C.blog`, friendly);
  // 15 % of the fee of 0.000025; 0.005 less the fee and 0.00000911, with it, at 91377.604.
  assert.match(page, /<dt>Friend’s discount<\/dt><dd>\+ 0\.00000375 BTC/);
  assert.match(page, />454\.11<\/output>/);
  assert.match(page, /"ref":"7F3Q2M8C\.blog"/, 'newer rates are asked for with it');
  for (const ref of ['&ref=7F3Q2M8C.blog/', '&REF=7F3Q2M8C.blog', '&ref=&ref=7F3Q2M8C.blog', '?ref=7F3Q2M8C.blog)'])
    assert.match(await read(`/embed/en/calculator?${wish}${ref}`, friendly), /<dt>Friend[^]*"ref":"7F3Q2M8C\.blog"/, ref);
  for (const ref of ['', '&ref=%22%3E', '&ref='])
    assert.doesNotMatch(await read(`/embed/en/calculator?${wish}${ref}`, friendly), /<dt>Friend|"ref":/, ref);
});

test('shared data is requested without a session', async () => {
  const requests: (string | undefined)[] = [];
  const client = createClient(stubTransport(() => new Date()));
  const clientFor: Parameters<typeof stubSite>[0]['clientFor'] = (_request, _locale, as) => {
    requests.push(as);
    return client;
  };
  const noting = await stubSite({ url: 'http://kurs.test', clientFor });
  for (const url of ['/embed/en/calculator', '/sitemap.xml', '/.well-known/kurs-receipt-keys.json'])
    assert.equal((await ask(url, 'GET', noting)).status, 200, url);
  assert.deepEqual(requests, ['nobody', 'nobody', 'nobody']);
});

test('amounts above a limit and unreadable ones show an error, and an unknown pair becomes a known one', async () => {
  assert.match(await read('/embed/en/calculator?from=BTC&to=USDT_ERC20&amount=9'), /role="status">At most 0\.01087 BTC</);
  assert.match(await read('/embed/ru/calculator?from=BTC&to=USDT_ERC20&amount=x'), /role="status">Напишите сумму цифрами</);
  assert.match(await read('/embed/en/calculator?from=NO&to=BTC'), /<option value="USDT_ERC20" selected>/);
  const hostile = await read('/embed/en/calculator?amount=%22%3E%3Cscript%3E&ref=%22%3E%3Cb%3E&accent=red;}&theme=x');
  assert.doesNotMatch(hostile, /"><(script|b)>|red;\}/);
  assert.match(hostile, /href="\/En"/, 'no link by what is no reference');
});

test('the button’s colour is six hex digits, with letters of sufficient contrast', async () => {
  assert.match(
    await read('/embed/en/calculator?accent=ffd400&theme=dark'),
    /data-theme="dark">[^]*--accent:#ffd400;--on-accent:#000/,
  );
  assert.match(await read('/embed/en/calculator?accent=1B2C5D'), /--accent:#1B2C5D;--on-accent:#fff/);
  for (const accent of ['fff', '#ffffff', 'ffffff0', 'gggggg'])
    assert.match(await read(`/embed/en/calculator?accent=${encodeURIComponent(accent)}`), /--accent:var\(--brand\)/);
});

test('any site may frame the calculator and nothing else of ours, and it neither sets nor reads cookies', async () => {
  const answer = await ask('/embed/en/calculator');
  const policy = header(answer, 'content-security-policy') ?? '';
  assert.match(policy, /frame-ancestors \*/);
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'sha256-/);
  for (const name of ['x-frame-options', 'set-cookie']) assert.equal(header(answer, name), undefined, name);
  assert.equal(answer.isCacheable, false);
  assert.doesNotMatch(answer.body, /<html[^>]*dark|other~/);
  for (const url of ['/embed/de/calculator', '/embed/en', '/embed/en/order', '/embed/En/calculator'])
    assert.equal(header(await ask(url), 'x-frame-options'), 'DENY', url);
  assert.equal((await ask('/embed/en/calculator', 'POST')).status, 405);
});

test('all of it together is at most 30 kB, and its scripts store nothing', async () => {
  const { embed } = JSON.parse(await readFile(join(DIST, 'server/assets.json'), 'utf8')) as Assets;
  const scripts = [embed, '/widget.js'];
  const page = brotliCompressSync((await ask('/embed/ru/calculator')).body).length;
  const sizes = await Promise.all(scripts.map(async (name) => (await stat(join(DIST, `client${name}.br`))).size));
  const all = sizes.reduce((sum, size) => sum + size, page);
  assert.ok(all <= WIDGET.budget.all, `${all} bytes: page ${page}, scripts ${sizes.join(' and ')}`);
  for (const name of scripts)
    assert.doesNotMatch(
      await readFile(join(DIST, `client${name}`), 'utf8'),
      /cookie|localStorage|sessionStorage|indexedDB|createElement\("?script|react/i,
      name,
    );
});

test('a banner of each size in both languages has the desk’s name, and other sites may show it', async () => {
  const drawn = new Set<string>();
  for (const size of BANNER_SIZES)
    for (const lang of ['en', 'ru']) {
      const answer = await ask(`/brand/banner-${size}.${lang}.svg`);
      assert.deepEqual([answer.status, header(answer, 'cross-origin-resource-policy')], [200, 'cross-origin'], size);
      const { body: picture } = answer;
      assert.match(picture, new RegExp(`viewBox="0 0 ${size.replace('x', ' ')}" role="img" aria-label="Kurs\\. `));
      drawn.add(picture);
    }
  assert.equal(drawn.size, 10);
  assert.equal((await ask('/brand/banner-1x1.en.svg')).status, 404);
  const unreadable = await stubSite({ url: 'http://kurs.test', config: { name: '汇率' } });
  assert.equal(
    (await unreadable.handle({ method: 'GET', url: '/brand/banner-728x90.en.svg', headers: {}, cookies: {} })).status,
    404,
  );
});
