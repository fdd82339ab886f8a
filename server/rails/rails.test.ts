// Tests that a rail that is off costs nothing: its modules and libraries are loaded only once it is switched on.

import { readFile } from 'node:fs/promises';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { AtWork } from './loaded.testing.ts';
import { PROVIDER_NAMES } from './providers.ts';

// Runs in a separate process, since this one has already loaded modules for other tests.
const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(new URL('loaded.testing.ts', import.meta.url))]);
const [before, ...steps] = JSON.parse(stdout) as AtWork[];

test('loads no modules and no libraries while every rail is off', () => {
  assert.deepEqual(before, { on: '', rails: [], libraries: [] });
});

test('loads only the rail that is switched on', () => {
  assert.deepEqual(
    steps.map(({ on }) => on),
    [...PROVIDER_NAMES, 'tron', 'bitcoin', 'evm'],
  );
  for (const [at, { rails }] of steps.entries()) {
    assert.deepEqual(
      rails,
      steps
        .slice(0, at + 1)
        .map(({ on }) => on)
        .toSorted(),
    );
  }
});

test('documents for each rail the fields that it reads, its handling of impossible values, and the fields that it ignores', async () => {
  for (const folder of ['bitcoin', 'evm', 'tron', ...PROVIDER_NAMES]) {
    const text = await readFile(new URL(`${folder}/README.md`, import.meta.url), 'utf8');
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    assert.ok(rows.includes('| field | what is possible | what is done otherwise |'), folder);
    assert.ok(rows.includes('| field | why not |'), folder);
    for (const row of rows) assert.match(row, /^(\| [^|]+ ){2,3}\|$|^\|[-|]+\|$/, `${folder}: ${row}`);
  }
});
