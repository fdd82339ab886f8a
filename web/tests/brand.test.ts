import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { before, test } from 'node:test';
import { colour, coloursOf } from '../brand/colours.ts';
import { kitFiles } from '../brand/kit.ts';
import { type Outlines, outlinesOf } from '../brand/outlines.ts';
import { PNGS, sourceOf } from '../brand/pngs.ts';
import { canDraw, drawName } from '../brand/wordmark.ts';
import type { SiteResponse } from '../site.ts';
import { stubSite } from '../testing/serve.ts';

const STATIC = join(import.meta.dirname, '..', 'static/brand');
let tokens: string;
let letters: Outlines;

before(async () => {
  tokens = await readFile(join(import.meta.dirname, '..', 'ui/theme/tokens.css'), 'utf8');
  const font = import.meta.resolve('@fontsource/source-serif-4/files/source-serif-4-latin-600-normal.woff');
  letters = outlinesOf(await readFile(fileURLToPath(font)));
});

const contoursOf = (letter: string): number => letters.glyphs[letter]?.path.split('M').slice(1).length ?? -1;
const heightsOf = (letter: string): number[] =>
  [...(letters.glyphs[letter]?.path.matchAll(/[MLQ ](-?[\d.]+) (-?[\d.]+)/g) ?? [])].map(([, , y]) => Number(y));

test('contours, heights and widths of letters are read from the font', () => {
  assert.deepEqual([...'Ko8i '].map(contoursOf), [1, 2, 3, 2, 0]);
  // An accented letter is composed of its parts, and is taller than the plain one.
  assert.equal(contoursOf('é'), contoursOf('e') + 1);
  assert.ok(Math.min(...heightsOf('É')) < Math.min(...heightsOf('E')) - 50);
  // Capitals stand on the base line and are about two thirds of the em square high.
  assert.ok(Math.max(...heightsOf('K')) === 0 && Math.min(...heightsOf('K')) < -0.6 * letters.em);
  assert.ok((letters.glyphs['m']?.width ?? 0) > 2 * (letters.glyphs['i']?.width ?? 0));
});

test('a longer name is wider, and a name with unknown characters is refused', () => {
  const [short, long] = [drawName('Kurs', '#000', letters), drawName('Kurs & Co', '#000', letters)];
  assert.ok(long.width > short.width && short.width > 90);
  assert.equal(short.drawing.match(/<path/g)?.length, 4);
  assert.equal(canDraw('汇率', letters), false);
  assert.throws(() => drawName('汇率', '#000', letters), /no letter 汇/);
});

test('colour scales are read from the theme', () => {
  const colours = coloursOf(tokens);
  assert.equal(Object.keys(colours.primary).length, 11);
  assert.equal(colour(colours, 'primary-700'), '#036666');
  assert.throws(() => colour(colours, 'primary-7'), /no colour/);
  assert.throws(() => coloursOf(':root { --primary-50: #eef9f9; }'), /no scale/);
});

test('the build serves the kit as its sources draw it, with the mark of the pages in the theme’s colours', async () => {
  await stubSite({ url: 'http://kurs.test' });
  const kit = kitFiles(tokens);
  for (const [name, content] of Object.entries(kit))
    assert.equal(await readFile(join(import.meta.dirname, '..', 'dist/client', name), 'utf8'), content, name);
  const sprite = await readFile(join(import.meta.dirname, '..', '.build/icons.svg'), 'utf8');
  const path = / d="(M10 [^"]+)"/.exec(kit['brand/mark.svg'] ?? '')?.[1] ?? 'none';
  assert.ok(sprite.includes(path));
});

test('the pictures of the mark show what the kit draws now, in their sizes (node web/pictures/draw.ts)', async () => {
  const kit = kitFiles(tokens);
  const drawn = Object.fromEntries(PNGS.map(({ name, of }) => [name, sourceOf(kit, of)]));
  assert.deepEqual(JSON.parse(await readFile(join(STATIC, 'drawn.json'), 'utf8')), drawn);
  assert.deepEqual((await readdir(STATIC)).sort(), [...Object.keys(drawn), 'drawn.json'].sort());
  for (const { name, side } of PNGS) {
    const file = await readFile(join(STATIC, name));
    assert.deepEqual([file.readUInt32BE(16), file.readUInt32BE(20)], [side, side], name);
  }
});

test('the wordmark has the desk’s own name; a name that it can’t draw has none, and no file of it is offered', async () => {
  const ask = async (name: string, url: string): Promise<SiteResponse> => {
    const site = await stubSite({ url: 'http://kurs.test', config: { name } });
    return site.handle({ method: 'GET', url, headers: {}, cookies: {} });
  };
  const wordmark = await ask('Обмен <24>', '/brand/wordmark.svg');
  assert.equal(wordmark.status, 404);
  const russian = await ask('Обмен 24', '/brand/wordmark-dark.svg');
  assert.deepEqual([russian.status, new Map(russian.headers).get('content-type')], [200, 'image/svg+xml; charset=utf-8']);
  assert.match(russian.body, /aria-label="Обмен 24"/);
  assert.equal(russian.body.match(/<path transform/g)?.length, 7);
  assert.doesNotMatch((await ask('汇率', '/En/brand-guidelines')).body, /wordmark\.svg/);
  assert.match((await ask('Обмен 24', '/En/brand-guidelines')).body, /written (<!-- -->)?<b>Обмен 24<\/b>/);
});
