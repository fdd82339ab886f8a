import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Exposure, frameAncestors } from '@kurs/contract';
import { PAGES, type PageName, pageUrl } from '../routes/pages.ts';
import { stubSite } from '../testing/serve.ts';

test('every page is framed and tells its address as it states, and one that is not there by nobody', async () => {
  const site = await stubSite({ url: 'http://kurs.test' });
  const paths = Object.keys(PAGES).map((name) => {
    const page = name as PageName;
    return [pageUrl('en', page, page === 'service' ? { slug: 'btc-usdt-erc20' } : {}), PAGES[page] as Exposure] as const;
  });
  for (const [url, stated] of [...paths, ['/En/nothing', {}], ['/En/order?id=KX-0000-0000', {}]] as const) {
    for (const cookies of [{}, { session: 'x', theme: 'dark' }]) {
      const answer = await site.handle({ method: 'GET', url, headers: {}, cookies });
      const headers = new Map(answer.headers);
      assert.ok(answer.status === 200 || answer.status === 404 || answer.status === 302, `${url} ${answer.status}`);
      if (answer.status === 302) continue;
      assert.ok(headers.get('content-security-policy')?.includes(frameAncestors(stated)), url);
      assert.equal(headers.get('x-frame-options'), stated.framing === 'anyone' ? undefined : 'DENY', url);
      assert.equal(headers.get('referrer-policy'), stated.referrer ?? 'same-origin', url);
    }
  }
});
