// Requests that no page handles: addresses that name another host, and failures before a page is rendered.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallError } from '@kurs/contract/client';
import words from '@kurs/contract/words/en-US.json' with { type: 'json' };
import { stubSite } from '../testing/serve.ts';
import { stubClient } from '../testing/stub.ts';

const URL_ = 'http://kurs.test';
const get = (url: string, more: object = {}) => ({ method: 'GET', url, headers: {}, cookies: {}, ...more });

test('leading slashes of an address become one, so that the rest is no host', async () => {
  const site = await stubSite({ url: URL_ });
  for (const [request, target] of [
    ['//', '/'],
    ['///', '/'],
    ['//?x=1', '/?x=1'],
    ['//@/', '/@/'],
    ['//x:y', '/x:y'],
    ['//%00', '/%00'],
    ['//evil.example/En', '/evil.example/En'],
    ['//nope/En/faq?a=b', '/nope/En/faq?a=b'],
    ['/\\evil.example', '/evil.example'],
  ] as const) {
    const { status, headers } = await site.handle(get(request));
    assert.deepEqual([status, new Map(headers).get('location')], [301, target], request);
  }
  for (const gone of ['/nope/En/faq', '/x:y', '/%00', '/evil.example/En'])
    assert.equal((await site.handle(get(gone))).status, 404, gone);
});

test('a failure before a page is rendered shows the error page with the log’s reference', async () => {
  const broken = () => Promise.reject(new Error('The stub is broken'));
  const site = await stubSite({ url: URL_, client: { ...stubClient(() => new Date()), directions: broken, currencies: broken } });
  const headers = { 'accept-language': 'ru' };
  const { status, body } = await site.handle(get('/sitemap.xml', { headers }));
  assert.equal(status, 500);
  for (const part of [/<html lang="ru"/, /ref-0001/, />Не.удалось показать страницу<\/h1>/])
    assert.ok(part.test(body), `missing: ${part}`);
});

test('if a part of the server does not answer, the error page first offers to try again', async () => {
  const { message = '' } = (words.problems as Record<string, { message?: string }>)['unavailable'] ?? {};
  assert.doesNotMatch(message, /money/i, 'nobody knows that here');
  const silent = () => Promise.reject(new CallError(503, { code: 'unavailable', message }));
  const site = await stubSite({ url: URL_, client: { ...stubClient(() => new Date()), directions: silent } });
  const { status, body } = await site.handle(get('/En/rates'));
  assert.equal(status, 503);
  const ways = ['Try again', 'Go back', 'Go to home'].map((name) => body.indexOf(`>${name}<`));
  assert.ok(body.includes(message));
  assert.ok(
    ways.every((at) => at > 0) && ways.every((at, index) => index === 0 || at > (ways[index - 1] as number)),
    `${ways.join()}`,
  );
});

test('an unknown address and one that its route refuses differ in words and for programs', async () => {
  const site = await stubSite({ url: URL_ });
  const show = async (url: string): Promise<string> => (await site.handle(get(url))).body;
  for (const [path, said] of [
    ['/En/no-such-page', 'Page not found'],
    ['/En/services/no-such-exchange', 'Page Not Found'],
  ] as const) {
    assert.ok((await show(path)).includes(`${said}: ${path}`), path);
    const { failure } = JSON.parse(await show(`${path}.data`)) as { failure: Record<string, unknown> };
    assert.deepEqual([failure['status'], failure['statusMessage']], [404, `${said}: ${path}`]);
  }
  assert.match(await show('/Ru/services/no-such-exchange'), /Страница не.найдена: \/Ru\/services\/no-such-exchange/);
});
