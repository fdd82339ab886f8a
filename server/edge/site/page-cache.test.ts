import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageCache } from './page-cache.ts';

const page = (text: string, isCacheable: boolean) => ({ status: 200, headers: [], body: text, isCacheable });

test('renders a shared page once for concurrent readers, and caches it', async () => {
  const stored = new PageCache();
  let made = 0;
  const render = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return page(`page ${(made += 1)}`, true);
  };
  const answers = await Promise.all(Array.from({ length: 40 }, () => stored.get('a', render)));
  assert.deepEqual(new Set(answers.map(({ bodies }) => String(bodies.body))), new Set(['page 1']));
  assert.equal(String(stored.ready('a')?.bodies.body), 'page 1');
});

test('sends a personal page to nobody else, neither while it is rendered nor later', async () => {
  const stored = new PageCache();
  const ask = (who: number) =>
    stored.get('a', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return page(`of ${who}`, who % 2 === 0 && who !== 0);
    });
  const answers = await Promise.all(Array.from({ length: 41 }, (_, who) => ask(who)));
  answers.forEach(({ bodies }, who) => assert.equal(String(bodies.body), `of ${who}`));
  assert.equal(stored.ready('a'), undefined);
});

test('a failed render leaves nothing in the cache', async () => {
  const stored = new PageCache();
  await assert.rejects(
    stored.get('a', async () => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.equal(String((await stored.get('a', async () => page('yes', true))).bodies.body), 'yes');
});
