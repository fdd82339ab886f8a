import assert from 'node:assert/strict';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { build } from '../build.ts';
import { type PageName, pageNamed } from '../routes/pages.ts';
import type { Assets } from '../server/document/assets.ts';
import { sourceHash } from '../sources.mjs';
import { PAY } from '../entries/pay.ts';
import { SITE } from '../entries/site.ts';

const CLIENT = join(import.meta.dirname, '..', 'dist/client');
let assets: Assets;

before(async () => {
  await build();
  assets = JSON.parse(await readFile(join(import.meta.dirname, '..', 'dist/server/assets.json'), 'utf8')) as Assets;
});

const read = (file: string): Promise<string> => readFile(join(CLIENT, file), 'utf8');
const compressedSize = async (file: string): Promise<number> => (await stat(join(CLIENT, `${file}.br`))).size;
const sum = async (sizes: readonly Promise<number>[]): Promise<number> =>
  (await Promise.all(sizes)).reduce((total, size) => total + size, 0);

async function filesOf(ending: RegExp): Promise<string[]> {
  const names = await readdir(CLIENT, { recursive: true });
  return names.filter((name) => ending.test(name));
}

test('results of a build don’t change the hash of its sources', () => {
  assert.equal(assets.buildId, sourceHash());
});

/** Returns the maximum compressed size of a page's JavaScript, in bytes. */
function maxScript(name: PageName): number {
  const { entry, guard } = pageNamed(name);
  if (entry === 'pay') return PAY.budget.script;
  return guard === undefined ? SITE.budget.script : SITE.budget.dashboardScript;
}

test('the JavaScript of a page is at most 125 kB, of a payment 90 kB, of the dashboard 160 kB, in each language', async () => {
  for (const locale of ['en', 'ru'] as const) {
    for (const [name, page] of Object.entries(assets.pages[locale])) {
      const size = await sum([assets.begin[locale], page.entry, ...page.modules].map(compressedSize));
      assert.ok(size <= maxScript(name as PageName), `${locale} ${name}: ${size} bytes`);
    }
  }
});

test('the CSS of each page is at most 23 kB', async () => {
  for (const [name, page] of Object.entries(assets.pages.en)) {
    const size = await sum(page.stylesheets.map(compressedSize));
    assert.ok(size > 0 && size <= SITE.budget.style, `${name}: ${size} bytes`);
  }
});

test('the fonts of a page in one language are at most 110 kB', async () => {
  const fonts = await filesOf(/\.woff2$/);
  const sizeOf = (part: string): Promise<number> => {
    const file = fonts.find((name) => name.includes(part));
    assert.ok(file, part);
    return stat(join(CLIENT, file)).then(({ size }) => size);
  };
  const english = ['golos-text-latin-wght', 'source-serif-4-latin-600', 'jetbrains-mono-ascii'];
  const russian = [...english, 'golos-text-cyrillic-wght', 'source-serif-4-cyrillic-600'];
  assert.ok((await sum(english.map(sizeOf))) <= SITE.budget.font);
  assert.ok((await sum(russian.map(sizeOf))) <= SITE.budget.font);
});

test('the browser’s bundle has no schemas, no other language and no source map', async () => {
  const scripts = await filesOf(/\.js$/);
  assert.ok(scripts.length > 10);
  for (const script of scripts) {
    const code = await read(script);
    assert.doesNotMatch(code, /ZodError|_zod|toJSONSchema/, script);
    assert.doesNotMatch(code, /sourceMappingURL/, script);
    if (script.startsWith('assets/en/')) assert.doesNotMatch(code, /Комиссия|Отправьте/, script);
    if (script.startsWith('assets/ru/')) assert.doesNotMatch(code, /Send exactly|Where your money is/, script);
  }
});

test('only the code that all pages need is compiled in the background', async () => {
  const requests = await Promise.all(
    (await filesOf(/\.js$/)).map(async (script) =>
      (await read(script)).startsWith('//# allFunctionsCalledOnLoad\n') ? script : [],
    ),
  );
  const entries = Object.values(assets.pages).flatMap((pages) => Object.values(pages).map(({ entry }) => entry.slice(1)));
  assert.deepEqual(requests.flat().sort(), [...new Set(entries)].sort());
});

test('nothing that we serve has an inline style', async () => {
  for (const picture of await filesOf(/\.svg$/)) assert.doesNotMatch(await read(picture), /\sstyle=|<style/, picture);
});

test('compressible files are compressed by the build without loss', async () => {
  for (const file of await filesOf(/\.(js|css|svg|json)$/)) {
    const plain = await readFile(join(CLIENT, file));
    assert.deepEqual(brotliDecompressSync(await readFile(join(CLIENT, `${file}.br`))), plain, file);
    assert.deepEqual(gunzipSync(await readFile(join(CLIENT, `${file}.gz`))), plain, file);
  }
});

test('the words, the build’s id and the fonts’ licences are served as files', async () => {
  assert.deepEqual(
    JSON.parse(await read('locales/ru-RU.json')),
    JSON.parse(await readFile(join(import.meta.dirname, '..', 'locales/ru-RU.json'), 'utf8')),
  );
  assert.deepEqual(JSON.parse(await read('builds/latest.json')), { id: assets.buildId });
  assert.match(await read('licences/golos-text.txt'), /SIL Open Font License/i);
});

test('building again without a change does nothing', async () => {
  const made = await stat(join(CLIENT, 'builds/latest.json'));
  assert.equal(await build(), assets.buildId);
  assert.equal((await stat(join(CLIENT, 'builds/latest.json'))).mtimeMs, made.mtimeMs);
});

test('no fallback font has a generic family’s name, which would disable it and make pages jump', async () => {
  const families = [...new Set(assets.pages.en.home.css.match(/@font-face\{font-family:[^;]+/g))].map(
    (face) => face.split(':')[1] ?? '',
  );
  assert.ok(families.some((name) => name.includes('Fallback')));
  for (const name of families) assert.doesNotMatch(name, /^(serif|sans-serif|monospace|cursive|fantasy|system-ui|math|emoji)\b/i);
});
