// Pages that are kept: who asks within a second shares one, and one that stays as it is gets as small as it can.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { KeptPages, type ReadyPage } from './kept-pages.ts';

const LONG = Array.from({ length: 3_000 }, (_, n) => `line ${(n * 7_919) % 1_013}`).join('\n');

const saying = (words: string) => async () => ({
  status: 200,
  headers: [['content-type', 'text/html']] as const,
  body: [Buffer.from(words)],
  cacheable: true,
});
const wordsOf = ({ bodies }: ReadyPage): string => brotliDecompressSync(bodies.br as Buffer).toString();

describe('a kept page', () => {
  test('is rendered once while it is fresh and shows the same rates', async () => {
    const kept = new KeptPages();
    let renders = 0;
    const render = (): ReturnType<ReturnType<typeof saying>> => {
      renders += 1;
      return saying(LONG)();
    };
    assert.equal(kept.ready('home', '1'), undefined);
    const [one, other] = await Promise.all([kept.get('home', '1', render), kept.get('home', '1', render)]);
    assert.equal(one, other);
    assert.equal(kept.ready('home', '1'), one);
    assert.equal(kept.ready('home', '2'), undefined, 'other rates');
    assert.equal(kept.ready('terms', '1'), undefined, 'another page');
    await kept.get('home', '2', render);
    assert.equal(renders, 2);
  });

  test('that says other words than before goes out with them, in each encoding', async () => {
    const kept = new KeptPages();
    await kept.get('home', '1', saying(LONG));
    const { bodies } = await kept.get('home', '2', saying(`${LONG} and more`));
    assert.equal(brotliDecompressSync(bodies.br as Buffer).toString(), `${LONG} and more`);
    assert.equal(gunzipSync(bodies.gzip?.() as Buffer).toString(), `${LONG} and more`);
  });

  test('that stays as it is becomes as small as it can be, after a time', async () => {
    const kept = new KeptPages(30);
    const first = await kept.get('terms', '1', saying(LONG));
    const quick = first.bodies.br?.length ?? 0;
    const least = brotliCompressSync(LONG).length;
    assert.ok(least < quick, `${least} of ${quick}`);
    assert.equal((await kept.get('terms', '2', saying(LONG))).bodies, first.bodies, 'its bytes serve on');
    await pause(40);
    const { bodies } = await kept.get('terms', '3', saying(LONG));
    while (bodies.br?.length !== least) await pause(5);
    assert.equal(brotliDecompressSync(bodies.br).toString(), LONG);
  });

  test('whose rates move is compressed quickly, each time', async () => {
    const kept = new KeptPages();
    const sizes = new Set<number | undefined>();
    for (const version of ['1', '2', '3']) sizes.add((await kept.get('home', version, saying(LONG))).bodies.br?.length);
    await pause(100);
    assert.deepEqual([...sizes], [kept.ready('home', '3')?.bodies.br?.length]);
  });

  test('that can’t be shared after all is not kept, nor is one that failed', async () => {
    const kept = new KeptPages();
    await kept.get('home', '1', async () => ({ ...(await saying(LONG)()), cacheable: false }));
    assert.equal(kept.ready('home', '1'), undefined);
    await assert.rejects(
      kept.get('home', '1', () => Promise.reject(new Error('no rates'))),
      /no rates/,
    );
    assert.equal(wordsOf(await kept.get('home', '1', saying(LONG))), LONG);
  });
});
