import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BREAKPOINTS, CONTAINER_WIDTHS, OWN_WIDTHS } from './breakpoints.ts';
import { withWidths } from './with-widths.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const sheets = globSync('web/{browser,embed,features,routes,ui}/**/*.css', { cwd: ROOT });
const scripts = globSync('{web,server,sandbox}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
  (file) => !/node_modules|\/dist\/|\/paraglide\/|\.test\.ts$|^web\/testing\/|theme\/[\w-]+\.ts$/.test(file),
);

test('the theme’s breakpoints are those of the specification', () => {
  assert.deepEqual(BREAKPOINTS, { xs: 0, sm: 600, md: 650, lg: 769, xl: 1920 });
});

test('each further width has a name, a use and a reason', () => {
  const used = new Set(
    sheets.flatMap((file) => [...read(file).matchAll(/\(--(?:(?:to|above|from)-)?([\w-]+)\)/g)].map(([, name]) => name)),
  );
  for (const [name, { px, reason }] of Object.entries(OWN_WIDTHS)) {
    assert.ok(used.has(name), `${name} is used`);
    assert.ok(reason.length > 40, name);
    assert.ok(!(Object.values(BREAKPOINTS) as number[]).includes(px), name);
  }
  for (const name of Object.keys(CONTAINER_WIDTHS)) assert.ok(used.has(name), `${name} is used`);
});

test('style sheets use widths in queries by known names only', () => {
  assert.ok(sheets.length > 80);
  for (const file of sheets) {
    const css = read(file);
    for (const [query] of css.matchAll(/@(?:media|container)[^{]*/g))
      assert.doesNotMatch(query.replace(/\(--[\w-]+\)/g, ''), /\d/, file);
    withWidths(css);
  }
});

test('no script contains a window width as a number', () => {
  assert.ok(scripts.length > 500);
  for (const file of scripts) {
    const code = read(file);
    for (const wrong of [
      /@(?:media|container)[^{`'"]*\d/,
      /\((?:min|max)-width|\(width\s*[<>]/,
      /(?:inner|outer)Width\s*[<>]=?\s*\d/,
    ])
      assert.doesNotMatch(code, wrong, file);
  }
});

test('names are replaced in queries alone, and an unknown name ends the build', () => {
  assert.equal(
    withWidths('a{width:var(--to-lg)}@media (--above-lg) and (--to-narrow){b{c:d}}@container (--over-37){e{f:g}}'),
    'a{width:var(--to-lg)}@media (min-width: 770px) and (max-width: 1099px){b{c:d}}@container (width < 331px){e{f:g}}',
  );
  assert.equal(withWidths('@media (--from-xl) {'), '@media (min-width: 1920px) {');
  assert.throws(() => withWidths('@media (--to-xxl) {'), /no width --to-xxl/);
});
