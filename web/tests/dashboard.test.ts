import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stubSite } from '../testing/serve.ts';
import en from '../locales/en-US.json' with { type: 'json' };
import ru from '../locales/ru-RU.json' with { type: 'json' };

test('a document of the dashboard is the frame alone, without personal data, uncached and not indexed', async () => {
  const site = await stubSite({ url: 'http://kurs.test' });
  for (const [prefix, words] of [
    ['En', en],
    ['Ru', ru],
  ] as const) {
    for (const path of [
      'dashboard',
      'dashboard/orders',
      'dashboard/order?id=KX-0000-0000',
      'dashboard/account',
      'dashboard/wallet/transaction?id=1',
      'dashboard/affiliates',
      'dashboard/discount',
    ]) {
      const answer = await site.handle({ method: 'GET', url: `/${prefix}/${path}`, headers: {}, cookies: {} });
      const { body } = answer;
      assert.equal(answer.status, 200, path);
      assert.equal(answer.isCacheable, false);
      assert.equal(new Map(answer.headers).get('cache-control'), 'no-store');
      assert.ok(body.includes('<meta name="robots" content="noindex">'));
      assert.ok(body.includes(words.dashboard_label), 'the frame is there');
      assert.match(/id="data">(.*?)<\/script>/s.exec(body)?.[1] ?? '', /"closed":"no session"/);
    }
  }
});
