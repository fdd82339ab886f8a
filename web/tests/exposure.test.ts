import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Exposure, frameAncestors } from '@kurs/contract';
import { PAGES, PUBLIC_PAGES, type PageName, pageUrl } from '../routes/pages.ts';
import { sceneId } from '../testing/gate/invoices.ts';
import { linkId } from '../testing/gate/links.ts';
import { stubSite } from '../testing/serve.ts';

/** Parameters in the paths of pages. */
const IN_PATH: Partial<Record<PageName, Record<string, string>>> = {
  service: { slug: 'btc-usdt-erc20' },
  pay: { id: sceneId('chosen') },
  payLink: { id: linkId('any') },
};

test('framing and referrer of each page are as it states, and a missing page can’t be framed', async () => {
  const site = await stubSite({ url: 'http://kurs.test' });
  const paths = (Object.keys(PAGES) as PageName[]).map(
    (page) => [pageUrl('en', page, IN_PATH[page] ?? {}), PAGES[page] as Exposure] as const,
  );
  const unknownInvoice = [pageUrl('en', 'pay', { id: 'nothing' }), PAGES.pay as Exposure] as const;
  for (const [url, stated] of [...paths, unknownInvoice, ['/En/nothing', {}], ['/En/order?id=KX-0000-0000', {}]] as const) {
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

const CONFIG = {
  google: { clientId: 'ours', script: 'https://accounts.google.com/gsi/client' },
  botCheck: { name: 'turnstile', script: 'https://challenges.cloudflare.com/turnstile/v0/api.js' },
  chat: { websiteId: 'ours', script: 'https://client.crisp.chat/l.js' },
} as const;
const HOSTS = { google: 'accounts.google.com', robots: 'challenges.cloudflare.com', chat: 'client.crisp.chat' } as const;
const QUERY: Partial<Record<PageName, Record<string, string>>> = {
  order: { id: 'KX-WAIT-0000', token: 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx' },
  exchange: { id: '0199a7d2-7a3e-7c10-9f00-3f1c5e2b7a10' },
  ticket: { id: 'TK-7F3Q-2M8C', token: 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx' },
  ...IN_PATH,
};
const OPEN_NOBODY: readonly PageName[] = ['order', 'paid', 'unpaid', 'refund', 'letters', 'discountButton', 'pay', 'payLink'];

test('a page admits the third parties of its dialogs, and no other entry admits any', async () => {
  const site = await stubSite({ url: 'http://kurs.test', config: CONFIG });
  const cookies = { [`calculation-${QUERY.exchange?.['id']}`]: 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx' };
  const letIn = async (url: string): Promise<string[]> => {
    const { status, headers } = await site.handle({ method: 'GET', url, headers: {}, cookies });
    assert.ok(status === 200 || status === 404, `${url} ${status}`);
    const policy = new Map(headers).get('content-security-policy') ?? '';
    return Object.entries(HOSTS).flatMap(([name, host]) => (policy.includes(host) ? [name] : []));
  };
  for (const page of Object.keys(PAGES) as PageName[]) {
    const expected = OPEN_NOBODY.includes(page)
      ? []
      : page === 'exchange'
        ? ['robots']
        : ['google', 'robots', ...((PUBLIC_PAGES as readonly string[]).includes(page) ? ['chat'] : [])];
    assert.deepEqual(await letIn(pageUrl('en', page, QUERY[page] ?? {})), expected, page);
  }
  assert.deepEqual(await letIn('/En/nothing'), ['google', 'robots'], 'its header has the dialog to sign in');
  assert.deepEqual(await letIn('/En/order?id=KX-0000-0000&token=c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx'), []);
  assert.deepEqual(await letIn('/embed/en/calculator'), []);
});
