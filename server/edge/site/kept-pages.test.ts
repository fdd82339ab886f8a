import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptPages } from './kept-pages.ts';

const page = (text: string, cacheable: boolean) => ({ status: 200, headers: [], body: text, cacheable });

test('renders a shared page once for concurrent readers, and caches it', async () => {
  const kept = new KeptPages();
  let made = 0;
  const render = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return page(`page ${(made += 1)}`, true);
  };
  const answers = await Promise.all(Array.from({ length: 40 }, () => kept.get('a', render)));
  assert.deepEqual(new Set(answers.map(({ bodies }) => String(bodies.body))), new Set(['page 1']));
  assert.equal(String(kept.ready('a')?.bodies.body), 'page 1');
});

test('sends a personal page to nobody else, neither while it is rendered nor later', async () => {
  const kept = new KeptPages();
  const ask = (who: number) =>
    kept.get('a', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return page(`of ${who}`, who % 2 === 0 && who !== 0);
    });
  const answers = await Promise.all(Array.from({ length: 41 }, (_, who) => ask(who)));
  answers.forEach(({ bodies }, who) => assert.equal(String(bodies.body), `of ${who}`));
  assert.equal(kept.ready('a'), undefined);
});

test('a failed render leaves nothing in the cache', async () => {
  const kept = new KeptPages();
  await assert.rejects(
    kept.get('a', async () => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.equal(String((await kept.get('a', async () => page('yes', true))).bodies.body), 'yes');
});
