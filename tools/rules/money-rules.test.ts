// The rules of money name settings and tests: both exist, and no rule is without a reason and a test.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

const rules = read('docs/money-rules.md')
  .split(/^### /m)
  .slice(1)
  .map((text) => {
    const [title = '', ...lines] = text.split(/\n(?:## .*)?/);
    const namedBy = (word: string): string[] =>
      lines
        .filter((line) => line.startsWith(`- ${word}: `))
        .flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
    const hasReason = lines.some((line) => line.startsWith('- Why: '));
    return { title, hasReason, settings: namedBy('Settings'), tests: namedBy('Tests') };
  });

const declared = new Set(
  globSync('server/**/{settings,*-settings}.ts', { cwd: new URL('.', ROOT) }).flatMap((file) =>
    [...read(file).matchAll(/^ {2}'([a-z_]+\.[a-z_]+)':/gm)].map(([, key = '']) => key),
  ),
);

test('each rule of money has a reason and tests, and what it names exists', () => {
  assert.ok(rules.length > 30 && declared.size > 80);
  for (const { title, hasReason, settings, tests } of rules) {
    assert.ok(hasReason, `${title}: no reason`);
    assert.ok(tests.length > 0, `${title}: no test`);
    assert.deepEqual(
      settings.filter((key) => !declared.has(key)),
      [],
      title,
    );
    assert.deepEqual(
      tests.filter((file) => !existsSync(new URL(file, ROOT))),
      [],
      title,
    );
  }
  assert.equal(new Set(rules.map(({ title }) => title)).size, rules.length, 'each heading once');
});
