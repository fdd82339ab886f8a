import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pictureTitles } from '../pictures/titles.ts';
import { stubSite } from '../testing/serve.ts';

const FOLDER = join(import.meta.dirname, '..', 'static/shared');

test('every public page has a picture with its title in each language (node web/pictures/draw.ts)', async () => {
  const site = await stubSite({ url: 'http://kurs.test' });
  const titles = await pictureTitles(site);
  assert.deepEqual(JSON.parse(await readFile(join(FOLDER, 'titles.json'), 'utf8')), titles);
  assert.deepEqual((await readdir(FOLDER)).sort(), [...Object.keys(titles), 'titles.json'].sort());
});

test('a picture is 1200 × 630, and its file is small', async () => {
  for (const name of (await readdir(FOLDER)).filter((one) => one.endsWith('.jpg'))) {
    const file = await readFile(join(FOLDER, name));
    const frame = file.findIndex((byte, at) => byte === 0xff && (file[at + 1] === 0xc0 || file[at + 1] === 0xc2));
    assert.deepEqual([file.readUInt16BE(frame + 7), file.readUInt16BE(frame + 5)], [1200, 630], name);
    assert.ok(file.length < 150_000, `${name}: ${file.length}`);
  }
});
