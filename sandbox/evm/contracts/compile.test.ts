import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compileContracts } from './compile.ts';

test('the committed bytecode and ABI match the committed source', () => {
  const committed = JSON.parse(readFileSync(new URL('contracts.json', import.meta.url), 'utf8')) as unknown;
  assert.deepEqual(committed, compileContracts());
});
