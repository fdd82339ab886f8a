import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { clearForBuild } from '../former-builds.ts';

const HOUR = 3600 * 1000;
const NOW = 1_795_000_000_000;

test('a build keeps the hashed files of former builds for a day, and nothing else of them', async () => {
  const dist = await mkdtemp(join(tmpdir(), 'kurs-dist-'));
  const built = async (name: string): Promise<void> => {
    for (const path of [`client/assets/en/${name}.js`, 'client/favicon.ico', 'server/site.js']) {
      await mkdir(join(dist, dirname(path)), { recursive: true });
      await writeFile(join(dist, path), name);
    }
  };
  const files = async (): Promise<string[]> => {
    const found = await readdir(dist, { recursive: true, withFileTypes: true });
    return found
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name).slice(dist.length + 1))
      .sort();
  };
  await clearForBuild(dist, NOW);
  assert.deepEqual(await files(), [], 'the first build finds nothing');
  await built('first');
  await clearForBuild(dist, NOW + HOUR);
  await built('second');
  await clearForBuild(dist, NOW + 24 * HOUR);
  assert.deepEqual(await files(), [`former/${NOW + HOUR}/assets/en/first.js`, `former/${NOW + 24 * HOUR}/assets/en/second.js`]);
  // The third build was interrupted: it left no files to store.
  await clearForBuild(dist, NOW + 26 * HOUR);
  assert.deepEqual(await files(), [`former/${NOW + 24 * HOUR}/assets/en/second.js`]);
  for (let hour = 0; hour < 8; hour += 1) {
    await built(`at-${hour}`);
    await clearForBuild(dist, NOW + (27 + hour) * HOUR);
  }
  assert.deepEqual(
    (await files()).map((path) => path.split('/').at(-1)),
    ['at-4.js', 'at-5.js', 'at-6.js', 'at-7.js'],
  );
  await rm(dist, { recursive: true });
});
