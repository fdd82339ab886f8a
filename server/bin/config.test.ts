import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { RAIL_NAMES, RAIL_NEEDS, providerExample } from '../rails/index.ts';

const config = (...words: string[]): { code: number | null; out: string; words: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [new URL('config.ts', import.meta.url).pathname, ...words], {
    encoding: 'utf8',
  });
  return { code: status, out: stdout, words: stderr };
};

test('a payment system is set up by an example that stands alone on the output, and by words for each field', async () => {
  const { code, out, words } = config('payeer');
  const found = await providerExample('payeer');
  assert.equal(code, 0, words);
  assert.deepEqual(JSON.parse(out), found?.example);
  const plain = words.replaceAll(/\s+/g, ' ');
  for (const { path, description, where } of found?.fields ?? []) {
    assert.ok(plain.includes(` ${path} ${description}. `), path);
    assert.ok(plain.includes(where), path);
  }
  assert.match(words, /KURS_DATA\/providers\/payeer\.json/);
  assert.match(words, /restart/);
});

test('a chain is set up by lines of an environment file, those that it needs uncommented', () => {
  for (const rail of RAIL_NAMES) {
    const { code, out } = config(rail);
    assert.equal(code, 0, rail);
    for (const name of RAIL_NEEDS.get(rail) ?? [])
      if (name.startsWith('KURS_')) assert.match(out, new RegExp(`^${name}=`, 'm'), rail);
  }
});

test('an unknown name is refused with the list of known ones', () => {
  const { code, words } = config('payer');
  assert.equal(code, 1);
  assert.match(words, /no payment system called payer. Known ones: bitcoin, evm, .*payeer/);
  assert.doesNotMatch(words, / at /);
});
