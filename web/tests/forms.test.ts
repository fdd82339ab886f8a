// Requests that may change something: forms of our own pages, and none that another site makes a browser send.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Site, SiteResponse } from '../site.ts';
import { stubSite } from '../testing/serve.ts';

type Headers = Readonly<Record<string, string>>;
const sites = {} as Record<'sandbox' | 'live', Site>;

before(async () => {
  sites.sandbox = await stubSite({ url: 'https://kurs.test' });
  sites.live = await stubSite({ url: 'https://kurs.test', mode: 'live' });
});

const ask = (mode: 'sandbox' | 'live', method: 'GET' | 'POST', url: string, headers: Headers): Promise<SiteResponse> =>
  sites[mode].handle({
    method,
    url,
    headers: { host: 'kurs.test', ...headers },
    cookies: {},
    ...(method === 'POST' && { body: '' }),
  });
const FORMS = ['/En/track', '/Ru/track', '/theme', '/En', '/En/track.data'];

test('a form of another or unnamed site is refused, whatever it requests', async () => {
  const foreign: Headers[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'https://other.kurs.test' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://kurs.test' },
    { 'sec-fetch-site': '', origin: 'https://kurs.test' },
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: 'https://evil.example', host: 'kurs.test' },
    { origin: 'https://kurs.test.evil.example' },
    { origin: 'https://kurs.test:8443' },
    { origin: '' },
  ];
  for (const mode of ['sandbox', 'live'] as const) {
    for (const headers of foreign) {
      for (const url of FORMS) {
        const { status, headers: sent } = await ask(mode, 'POST', url, headers);
        assert.equal(status, 403, `${mode} ${url} ${JSON.stringify(headers)}`);
        assert.equal(
          sent.find(([name]) => name === 'set-cookie'),
          undefined,
        );
      }
    }
  }
});

test('the switches of language and theme have the same check', async () => {
  const refused = await ask('live', 'GET', '/locale?to=/Ru', { 'sec-fetch-site': 'cross-site' });
  assert.equal(refused.status, 403);
  for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }, {}])
    assert.equal((await ask('live', 'GET', '/locale?to=/Ru', headers as Headers)).status, 303);
});

test('forms of our own pages are accepted; with real money only those of the configured origin', async () => {
  for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: 'https://kurs.test' }, {}] as Headers[])
    for (const mode of ['sandbox', 'live'] as const)
      assert.equal((await ask(mode, 'POST', '/theme', headers)).status, 303, `${mode} ${JSON.stringify(headers)}`);
  for (const origin of ['http://kurs.test', 'http://127.0.0.1:8080', 'https://127.0.0.1:8080']) {
    const headers = { origin, host: origin.split('//')[1] ?? '' };
    assert.equal((await ask('sandbox', 'POST', '/theme', headers)).status, 303, origin);
    assert.equal((await ask('live', 'POST', '/theme', headers)).status, 403, origin);
  }
});

test('forms of every page name their origin, and no other site learns a page’s address', async () => {
  for (const url of [
    '/En',
    '/Ru/track',
    '/En/faq',
    '/En/order?id=KX-WAIT-NG00&token=c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx',
    '/En/nowhere',
  ]) {
    const { headers } = await ask('live', 'GET', url, {});
    assert.equal(headers.find(([name]) => name === 'referrer-policy')?.[1], 'same-origin', url);
  }
});
