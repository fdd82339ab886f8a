// A rail that is off costs nothing: neither its own modules nor its libraries are loaded before it is switched on.

import { readFile } from 'node:fs/promises';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { AtWork } from './loaded.testing.ts';
import { PROVIDER_NAMES } from './providers.ts';

// In a process of its own: this one has loaded what other tests needed.
const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(new URL('loaded.testing.ts', import.meta.url))]);
const [before, ...steps] = JSON.parse(stdout) as AtWork[];

test('with every rail off none is there, and neither their modules nor their libraries are loaded', () => {
  assert.deepEqual(before, { on: '', rails: [], libraries: [] });
});

test('a rail that is switched on loads itself and no other', () => {
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

test('each rail says what it reads, what it does with what can’t be, and what it doesn’t read', async () => {
  for (const folder of ['bitcoin', 'evm', 'tron', ...PROVIDER_NAMES]) {
    const text = await readFile(new URL(`${folder}/README.md`, import.meta.url), 'utf8');
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    assert.ok(rows.includes('| field | what is possible | what is done otherwise |'), folder);
    assert.ok(rows.includes('| field | why not |'), folder);
    for (const row of rows) assert.match(row, /^(\| [^|]+ ){2,3}\|$|^\|[-|]+\|$/, `${folder}: ${row}`);
  }
});
