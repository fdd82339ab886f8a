import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const ROOT = new URL('../../', import.meta.url);
const text = readFileSync(new URL('docs/security-tests.md', ROOT), 'utf8');

/** Returns the rows of the table under a heading, as pairs of threat and tests. */
function rowsUnder(heading: string): [danger: string, tests: string][] {
  const [, section = ''] = new RegExp(`^## ${heading}\\n(.*?)^## `, 'ms').exec(text) ?? [];
  const rows = [...section.matchAll(/^\| (.+) \| (.+) \|$/gm)].map(([, danger = '', tests = '']): [string, string] => [
    danger,
    tests,
  ]);
  return rows.slice(1);
}

test('each danger to accounts names tests that exist', () => {
  const [decisions, exploits] = [rowsUnder('Decisions'), rowsUnder('Exploits')];
  assert.ok(decisions.length >= 11 && exploits.length >= 25, 'no row is lost');
  for (const [danger, tests] of [...decisions, ...exploits]) assert.match(tests, /`[^`]+\.ts`/, danger);
  for (const [, file = ''] of text.matchAll(/`([^`]+\.ts)`/g)) assert.ok(existsSync(new URL(file, ROOT)), file);
});
