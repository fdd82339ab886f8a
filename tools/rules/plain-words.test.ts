// Comments, names of tests and documents use no phrase that a reader has to decode. Only docs/style.md shows some.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const PHRASE = /whoever|none that is\b|(?:what|whatever) there is of it/i;
/** Published versions of texts stay unchanged, and so do applied migrations. */
const STAYS = /^(docs\/style\.md|server\/migrations\/.*|web\/content\/.*|tools\/rules\/plain-words\.test\.ts)$/;

test('no comment, test or document makes its reader decode a phrase', () => {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.md', '*.patch'], { cwd: ROOT, encoding: 'utf8' }).split(
    '\n',
  );
  const wrong = files
    .filter((path) => path !== '' && !STAYS.test(path))
    .flatMap((path) =>
      readFileSync(join(ROOT, path), 'utf8')
        .split('\n')
        .flatMap((line, at) => (PHRASE.test(line) ? [`${path}:${at + 1} ${line.trim().slice(0, 80)}`] : [])),
    );
  assert.ok(files.length > 1_000);
  assert.deepEqual(wrong, []);
});

/** People are "they". Published texts, and tests about a known person, are exempt. */
const PEOPLE = /\b(?:he|she|his|hers?|him|himself|herself)\b/i;
const OF_SOMEBODY_KNOWN =
  /^(docs\/decisions\/|web\/content\/|tools\/rules\/plain-words)|\.(test|journey|testing|contract)\.tsx?$|\.patch$/;

test('people are “they”', () => {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.md'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  const wrong = files
    .filter((path) => path !== '' && !OF_SOMEBODY_KNOWN.test(path))
    .flatMap((path) =>
      readFileSync(join(ROOT, path), 'utf8')
        .split('\n')
        .flatMap((line, at) => (PEOPLE.test(line) ? [`${path}:${at + 1} ${line.trim().slice(0, 80)}`] : [])),
    );
  assert.deepEqual(wrong, []);
});

const TITLE = /\b(?:test|it|describe)\(\s*['"`]/;

test('people are “they” in the titles of tests, too', () => {
  const tests = execFileSync('git', ['ls-files', '*.test.ts', '*.test.tsx', '*.journey.ts', '*.contract.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const titles = tests
    .split('\n')
    .filter((path) => path !== '')
    .flatMap((path) =>
      readFileSync(join(ROOT, path), 'utf8')
        .split('\n')
        .filter((line) => TITLE.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
  assert.ok(titles.length > 1_000, `${titles.length} titles`);
  assert.deepEqual(
    titles.filter((title) => PEOPLE.test(title)),
    [],
  );
});
