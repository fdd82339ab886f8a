import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGES, PUBLIC_PAGES } from '../routes/pages.ts';
import { stubSite } from '../testing/serve.ts';

const ID = 'WA-1TAA-AAAA';

test('only public pages have a cache key, and a page rendered from a cookie is never shared', async () => {
  const site = await stubSite({ url: 'http://kurs.test' });
  for (const [name, { path }] of Object.entries(PAGES)) {
    const url = `/Ru/${path.replace(':slug', 'btc-usdt-erc20')}`.replace(/\/$/, '');
    const isPublic = (PUBLIC_PAGES as readonly string[]).includes(name);
    assert.equal(site.cacheKey({ method: 'GET', url, headers: {}, cookies: {} }) !== undefined, isPublic, url);
    const cookies = { 'order-last': `ru ${ID}`, [`order-${ID}`]: 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx', theme: 'dark' };
    assert.equal((await site.handle({ method: 'GET', url, headers: {}, cookies })).isCacheable, isPublic, url);
  }
  const session = { authorization: 'Bearer x' };
  assert.equal(site.cacheKey({ method: 'GET', url: '/En', headers: session, cookies: {} }), undefined, 'a session has no key');
});
