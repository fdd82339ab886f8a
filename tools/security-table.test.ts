import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const ROOT = new URL('../', import.meta.url);

test('each danger to accounts names tests that exist', () => {
  const rows = readFileSync(new URL('docs/security-tests.md', ROOT), 'utf8')
    .split('\n')
    .flatMap((line) => /^\| (D?\d+) \|.*\| (.*) \|$/.exec(line)?.slice(1) ?? [])
    .reduce<[string, string][]>((pairs, part, at, all) => (at % 2 === 0 ? [...pairs, [part, all[at + 1] ?? '']] : pairs), []);
  const asked = [
    ...Array.from({ length: 11 }, (_, at) => `D${at + 1}`),
    ...Array.from({ length: 25 }, (_, at) => String(29 + at)),
  ];
  assert.deepEqual(
    rows.map(([row]) => row),
    asked,
  );
  for (const [row, tests] of rows) {
    const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file]) => file as string);
    assert.ok(files.length > 0, row);
    for (const file of files) assert.ok(existsSync(new URL(file, ROOT)), `${row}: ${file}`);
  }
  const text = readFileSync(new URL('docs/security-tests.md', ROOT), 'utf8');
  for (const [, file = ''] of text.matchAll(/`([^`]+\.ts)`/g)) assert.ok(existsSync(new URL(file, ROOT)), file);
});
