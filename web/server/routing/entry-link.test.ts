import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Site, SiteRequest, SiteResponse } from '../../site.ts';
import { stubSite } from '../../testing/serve.ts';

let site: Site;
before(async () => {
  site = await stubSite({ url: 'http://kurs.test' });
});

const ask = (url: string, request: Partial<SiteRequest> = {}): Promise<SiteResponse> =>
  site.handle({ method: 'GET', url, headers: {}, cookies: {}, ...request });
const header = (response: SiteResponse, name: string): string | undefined => response.headers.find(([own]) => own === name)?.[1];

test('a monitor’s link opens the calculator with its direction, in its language', async () => {
  const to = async (url: string, request: Partial<SiteRequest> = {}): Promise<string | undefined> => {
    const response = await ask(url, request);
    assert.deepEqual([response.status, response.isCacheable], [302, false], url);
    assert.equal(header(response, 'cache-control'), 'no-store');
    return header(response, 'location');
  };
  assert.equal(await to('/?cur_from=USDTERC20&cur_to=BTC&lang=RU'), '/Ru?from=USDT_ERC20&to=BTC');
  assert.equal(await to('/En?cur_from=usdterc20&cur_to=btc&lang=ru'), '/Ru?from=USDT_ERC20&to=BTC');
  assert.equal(await to('/ru/?cur_from=btc&cur_to=USDT_erc20&amount=0.02'), '/Ru?amount=0.02&from=BTC&to=USDT_ERC20');
  const german = { headers: { 'accept-language': 'de, ru;q=0.8' } };
  assert.equal(await to('/?cur_from=BTC&cur_to=USDTERC20&lang=de', german), '/Ru?from=BTC&to=USDT_ERC20');
  for (const query of [
    'cur_from=XMR&cur_to=BTC',
    'cur_from=BTC',
    'cur_from=BTC&cur_to=BTC',
    'cur_from=%3Cb%3E&cur_to=',
    'lang=en',
  ])
    assert.equal(await to(`/En?${query}`), '/En', query);
  assert.equal(await to('/?from=BTC&to=USDT_ERC20&ref=partner'), '/En?from=BTC&to=USDT_ERC20');
  // Such addresses are never served from the cache.
  for (const url of ['/En?cur_from=BTC', '/En/services/btc-to-usdt?ref=a', '/Ru/services/btc-to-usdt?amount=2'])
    assert.equal(site.cacheKey({ method: 'GET', url, headers: {}, cookies: {} }), undefined, url);
});

test('the first valid reference of a visitor is stored for 90 days', async () => {
  const stored = async (query: string, cookies = {}): Promise<string | undefined> =>
    header(await ask(`/En?${query}`, { cookies }), 'set-cookie');
  assert.match((await stored('ref=Partner-7.a')) ?? '', /^kurs_ref=Partner-7\.a~\d{10}; Path=\/; Max-Age=7776000; SameSite=Lax$/);
  assert.match((await stored('cur_from=XMR&cur_to=BTC&ref=p')) ?? '', /^kurs_ref=p~\d{10}; /);
  assert.match((await stored('ref=p&sub=post%2F12%3B')) ?? '', /^kurs_ref=p~\d{10}~post%2F12%3B; /);
  assert.match((await stored(`ref=p&sub=${'x'.repeat(255)}`)) ?? '', /^kurs_ref=p~\d{10}~x{255}; /);
  assert.match((await stored(`ref=p&sub=${'x'.repeat(256)}`)) ?? '', /^kurs_ref=p~\d{10}; /);
  for (const first of ['first', 'first.blog~1795687200', 'first~1795687200~a/b'])
    assert.equal(await stored('ref=second', { kurs_ref: first }), undefined, first);
  assert.match((await stored('ref=second', { kurs_ref: 'a b;c' })) ?? '', /^kurs_ref=second~/);
  for (const ref of ['', '%0d%0aset-cookie:x=y', 'x'.repeat(65), '<b>', 'имя'])
    assert.equal(await stored(`ref=${ref}`), undefined, ref);
  assert.doesNotMatch((await ask('/En')).headers.join(), /kurs_ref/);
  // On every page; it redirects to the address without the reference.
  const onPage = await ask('/Ru/services/btc-to-usdt?ref=7F3Q2M8C&amount=0.5&sub=x');
  assert.deepEqual(
    [onPage.status, onPage.isCacheable, header(onPage, 'location')],
    [302, false, '/Ru/services/btc-to-usdt?amount=0.5'],
  );
  assert.match(header(onPage, 'set-cookie') ?? '', /^kurs_ref=7F3Q2M8C~\d{10}~x;/);
  const worthless = await ask('/En/track?ref=%3Cb%3E');
  assert.deepEqual(
    [worthless.status, header(worthless, 'location'), header(worthless, 'set-cookie')],
    [302, '/En/track', undefined],
  );
  for (const request of [{ method: 'POST' }, { url: '/robots.txt?ref=a' }, { url: '/En/track.data?ref=a' }])
    assert.equal(header(await ask('/En/track?ref=a', request), 'set-cookie'), undefined, JSON.stringify(request));
});

test('an unknown reference changes nothing', async () => {
  const reported: string[] = [];
  const strict = await stubSite({
    url: 'http://kurs.test',
    opened: async (_request, { code, sub }) => {
      reported.push(`${code} ${sub}`);
      return code === 'known';
    },
  });
  const open = async (url: string) => header(await strict.handle({ method: 'GET', url, headers: {}, cookies: {} }), 'set-cookie');
  assert.match((await open('/En?ref=known&sub=s')) ?? '', /^kurs_ref=known~/);
  assert.equal(await open('/En?ref=unknown'), undefined);
  assert.equal(await open('/En/track?ref=<b>'), undefined);
  assert.deepEqual(reported, ['known s', 'unknown ']);
});

test('a reference is read from damaged links: with text after it, a name in capitals, another reference before it', async () => {
  const reported: string[] = [];
  const strict = await stubSite({
    url: 'http://kurs.test',
    opened: async (_request, { code, campaign, sub }) => {
      reported.push(code);
      return code === 'KNOWN' && ['', 'blog'].includes(campaign) && ['', 's'].includes(sub);
    },
  });
  for (const [query, stored, rest = ''] of [
    ['ref=KNOWN/', 'KNOWN'],
    ['ref=KNOWN%20', 'KNOWN'],
    ['ref=KNOWN+', 'KNOWN'],
    ['ref=KNOWN.', 'KNOWN'],
    ['ref=KNOWN)', 'KNOWN'],
    ['ref=KNOWN.blog],', 'KNOWN.blog'],
    ['ref=KNOWN_', 'KNOWN'],
    ['ref=KNOWN?sub=s', 'KNOWN', '~s'],
    ['ref=KNOWN/?sub=s', 'KNOWN', '~s'],
    ['utm_source=x?ref=KNOWN', 'KNOWN'],
    ['REF=KNOWN&Sub=s', 'KNOWN', '~s'],
    ['Ref=KNOWN', 'KNOWN'],
    ['amp;ref=KNOWN&amp;sub=s', 'KNOWN', '~s'],
    ['ref=UNKNOWN&ref=KNOWN', 'KNOWN'],
    ['ref=&REF=<b>&ref=KNOWN.blog', 'KNOWN.blog'],
    ['ref[]=KNOWN', 'KNOWN'],
    ['ref%5B0%5D=KNOWN', 'KNOWN'],
    ['a=b&amp;amp;ref=KNOWN', 'KNOWN'],
    ['a=b&%20ref=KNOWN', 'KNOWN'],
    ['%EF%BB%BFref=KNOWN', 'KNOWN'],
    ['ref=%5BKNOWN%5D', 'KNOWN'],
    ['ref=(KNOWN.blog)', 'KNOWN.blog'],
    ['ref=%E2%80%8BKNOWN%E2%80%8B', 'KNOWN'],
    ['ref=%C2%A0KNOWN%C2%A0', 'KNOWN'],
    ['ref=%E2%80%9EKNOWN%E2%80%9C', 'KNOWN'],
    ['ref=%09KNOWN%0A', 'KNOWN'],
    ['ref=*KNOWN*', 'KNOWN'],
    ['ref=_KNOWN_', 'KNOWN'],
  ] as const)
    for (const path of ['/', '/En', '/Ru/services/btc-to-usdt', '/En/track']) {
      const answer = await strict.handle({ method: 'GET', url: `${path}?${query}`, headers: {}, cookies: {} });
      const [name, , sub] = (header(answer, 'set-cookie') ?? '').split(/[~;]/);
      assert.deepEqual(
        [name, sub === undefined || rest === '' ? '' : `~${sub}`],
        [`kurs_ref=${stored}`, rest],
        `${path}?${query}`,
      );
      assert.doesNotMatch(header(answer, 'location') ?? '', /ref|sub/i, `${path}?${query}`);
    }
  const inCapitals = await strict.handle({ method: 'GET', url: '/RU?ref=KNOWN', headers: {}, cookies: {} });
  assert.equal(header(inCapitals, 'location'), '/Ru');
  reported.length = 0;
  const all = Array.from({ length: 50 }, (_, n) => `ref=UNKNOWN${n}`).join('&');
  await strict.handle({ method: 'GET', url: `/En?${all}`, headers: {}, cookies: {} });
  assert.ok(reported.length <= 8, 'no link asks without end');
});

test('a reference is stored for links opened as a page, and for browsers that don’t say how', async () => {
  for (const path of ['/En', '/Ru/track']) {
    const stored = async (headers: Record<string, string>) => header(await ask(`${path}?ref=p`, { headers }), 'set-cookie');
    assert.match((await stored({})) ?? '', /^kurs_ref=p~/);
    assert.match((await stored({ 'sec-fetch-dest': 'document' })) ?? '', /^kurs_ref=p~/);
    for (const dest of ['image', 'iframe', 'frame', 'script', 'style', 'empty', 'object', 'embed', ''])
      assert.equal(await stored({ 'sec-fetch-dest': dest }), undefined, dest);
  }
});

test('no redirect leads to another host, however the address is written', async () => {
  const ups = ['/.', '/En/..', '/en/../..', '/x/..', '/%2e%2e', '/ru/%2E%2E', '/perfectmoney/..'];
  for (const up of ups)
    for (const rest of ['//evil.example/', '//evil.example/En/', '//evil.example', '/\\evil.example/', '///evil.example/?a=b'])
      for (const method of ['GET', 'POST']) {
        const response = await ask(`${up}${rest}`, { method });
        const location = header(response, 'location');
        assert.ok(location === undefined || /^\/(?![/\\])/.test(location), `${method} ${up}${rest}: ${location}`);
      }
});
