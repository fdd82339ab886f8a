// Fields of our own that are true or false say so by their names: they begin with is, has, may or can (docs/style.md).

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const FIELD = /^ {2,4}readonly (\w+)\??: (?:boolean|true)(?: \| undefined)?;/gm;
const PREFIXED = /^(?:is|has|had|may|can)(?:[A-Z]|_)/;
/** Tags of results and messages, and names of the API, of columns, of other programs and of actions of the desk. */
const OTHERS: ReadonlySet<string> = new Set([
  ...['ok', 'ready', 'askMe', 'required', 'removed', 'passed'],
  ...['up', 'on', 'back', 'rebalance', 'suspend', 'statements', 'reserve_held', 'was_final'],
]);

test('a field that is true or false begins with is, has, may or can', () => {
  const files = globSync('{money,contract,server,web,tools,bench}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', '**/paraglide/**', '**/*.test.ts'],
  });
  const wrong = files.flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(FIELD)]
      .map(([, name = '']) => name)
      .filter((name) => !PREFIXED.test(name) && !OTHERS.has(name))
      .map((name) => `${path}: ${name}`),
  );
  assert.deepEqual(wrong, []);
});
