// The documents are true about the code: each file that they name exists, and the page for newcomers is one page.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
/** Records of decisions name files of their time, so they are not checked. */
const PAGES = globSync(['*.md', 'docs/*.md', 'server/rails/*/README.md'], { cwd: ROOT }).filter(
  (path) => path !== 'CHANGELOG.md',
);
const FOLDERS = 'money|contract|server|web|sandbox|e2e|bench|tools|docs';

/** Files that a page names in code marks; a star stands for any name. */
const filesIn = (text: string): string[] =>
  [...text.matchAll(new RegExp('`((?:' + FOLDERS + ')/[\\w./*-]*\\.\\w+)`', 'g'))].map(([, path = '']) => path);

test('each file that a document names is there', () => {
  const wrong = PAGES.flatMap((page) =>
    filesIn(read(page))
      .filter((path) => globSync(path, { cwd: ROOT }).length === 0)
      .map((path) => `${page}: ${path}`),
  );
  assert.deepEqual(wrong, []);
  assert.deepEqual(filesIn('`server/a.ts`, `docs/machines/*.md` and server/b.ts'), ['server/a.ts', 'docs/machines/*.md']);
});

test('each test that a document names by a word is there', () => {
  const tests = globSync('{money,contract,server,web,sandbox,e2e,bench,tools}/**/*.{test,journey}.ts', {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  });
  const wrong = PAGES.flatMap((page) =>
    [...read(page).matchAll(/node tools\/test\.ts ([^`&<…]+)`/g)].flatMap(([, words = '']) =>
      words
        .split(' ')
        .filter((word) => !word.startsWith('--') && word !== '' && !tests.some((file) => file.includes(word)))
        .map((word) => `${page}: ${word}`),
    ),
  );
  assert.deepEqual(wrong, []);
});

test('each link to a part of a document leads to a heading', () => {
  const headingsOf = (page: string): string[] =>
    [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, words = '']) =>
      words
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );
  const wrong = PAGES.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)#:\s]*\.md|)#([^)]+)\)/g)]
      .map(([, link = '', part = '']) => ({ to: link === '' ? page : join(dirname(page), link), part }))
      .filter(({ to, part }) => !existsSync(join(ROOT, to)) || !headingsOf(to).includes(part))
      .map(({ to, part }) => `${page}: ${to}#${part}`),
  );
  assert.deepEqual(wrong, []);
});

test('each link of a document leads to a file', () => {
  const wrong = PAGES.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)]
      .map(([, link = '']) => join(dirname(page), link))
      .filter((path) => !existsSync(join(ROOT, path)))
      .map((path) => `${page}: ${path}`),
  );
  assert.deepEqual(wrong, []);
});

test('each decision has a number of its own', () => {
  const files = globSync('docs/decisions/*.md', { cwd: ROOT }).sort();
  assert.deepEqual(
    files.map((path) => Number(/\/(\d{4})-/.exec(path)?.[1])),
    files.map((_, index) => index + 1),
  );
  for (const path of files) assert.match(read(path), new RegExp(`^# ${Number(path.slice(15, 19))}\\. `), path);
});

/** Pages for newcomers, with the maximum number of words of one page. */
const ONE_PAGE: Readonly<Record<string, number>> = { 'README.md': 800, 'CONTRIBUTING.md': 800 };

test('README and CONTRIBUTING are one page each', () => {
  for (const [page, max] of Object.entries(ONE_PAGE)) {
    const words = read(page).split(/\s+/).length;
    assert.ok(words <= max, `${page} has ${words} words, more than ${max}`);
  }
});

test('how-to has the steps for each thing that is often added', () => {
  const sections = [...read('docs/how-to.md').matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);
  for (const wanted of ['A rail', 'A fee', 'A state', 'A setting', 'A letter', 'A permission', 'A page'])
    assert.ok(sections.includes(wanted), wanted);
});
