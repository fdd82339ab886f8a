import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fingerprintsOf, haveServed, checkKeys, makeKeys, missingKeys, rotateKey } from './keys.ts';
import { makeSecret, secret } from '../secrets/secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'kurs-keys-'));
after(() => rmSync(folder, { recursive: true }));
const path = (name: string): string => join(folder, 'keys', name);
const faults = (known: ReadonlyMap<string, string>): object =>
  Object.fromEntries(checkKeys(fingerprintsOf(folder), known).faults);

test('reading a missing key never creates it', () => {
  assert.throws(() => secret(folder, 'seed'), /no key seed in .*: restore/);
  assert.equal(missingKeys(folder).length, 9);
});

test('creates keys whole, each with a fingerprint that reveals nothing of it', () => {
  makeSecret(folder, 'bot.key');
  const [before] = fingerprintsOf(folder).values();
  makeKeys(folder, () => 'some words');
  assert.deepEqual(missingKeys(folder), []);
  const known = fingerprintsOf(folder);
  assert.equal(known.size, 9);
  assert.equal(known.get('bot.key'), before, 'one that is there stays');
  assert.equal(secret(folder, 'seed'), 'some words');
  assert.equal(new Set(known.values()).size, 9);
  for (const name of known.keys()) assert.equal(secret(folder, name).includes(known.get(name) as string), false);
});

test('a database without fingerprints accepts all keys, and the same ones again', () => {
  const found = fingerprintsOf(folder);
  const first = checkKeys(found, new Map());
  assert.deepEqual([first.isKnown, first.faults.size, first.news], [false, 0, found]);
  const again = checkKeys(found, found);
  assert.deepEqual([again.isKnown, again.faults.size, again.news.size, again.harmless], [true, 0, 0, []]);
});

test('reports each key that differs or is missing; the robot check’s key is only mentioned', () => {
  const known = fingerprintsOf(folder);
  for (const name of known.keys()) {
    const stored = secret(folder, name);
    for (const [become, words] of [
      ['of another', 'differs'],
      [undefined, 'is missing'],
    ] as const) {
      if (become === undefined) rmSync(path(name));
      else writeFileSync(path(name), become);
      const checked = checkKeys(fingerprintsOf(folder), known);
      const isHarmless = name === 'bot.key';
      assert.deepEqual(Object.fromEntries(checked.faults), isHarmless ? {} : { [name]: words });
      assert.deepEqual(checked.harmless, isHarmless ? [name] : []);
      assert.deepEqual([...checked.news.keys()], isHarmless && become ? [name] : []);
    }
    writeFileSync(path(name), stored);
  }
  assert.deepEqual(faults(known), {});
});

test('accepts a newer version beside all older ones as a rotation, and no other one', () => {
  const known = fingerprintsOf(folder);
  assert.equal(rotateKey(folder, 'server'), 'server-v2.key');
  const rotated = checkKeys(fingerprintsOf(folder), known);
  assert.deepEqual([rotated.faults.size, [...rotated.news.keys()]], [0, ['server-v2.key']]);
  const after = fingerprintsOf(folder);
  const old = secret(folder, 'server-v1.key');
  rmSync(path('server-v1.key'));
  assert.deepEqual(faults(after), { 'server-v1.key': 'is missing' });
  assert.deepEqual(faults(new Map([...after].filter(([name]) => name !== 'server-v2.key'))), { 'server-v1.key': 'is missing' });
  writeFileSync(path('server-v1.key'), old);
  writeFileSync(path('server-v3.key'), 'ab');
  const three = fingerprintsOf(folder);
  three.delete('server-v2.key');
  assert.deepEqual(faults(three), { 'server-v2.key': 'is unknown' });
});

test('keys count as used once something was sealed or signed with them', () => {
  assert.equal(haveServed(folder), false);
  writeFileSync(path('signed.jsonl'), '');
  assert.equal(haveServed(folder), false);
  writeFileSync(path('signed.jsonl'), '{}\n');
  assert.equal(haveServed(folder), true);
  rmSync(path('signed.jsonl'));
  writeFileSync(path('books.seal'), '{}');
  assert.equal(haveServed(folder), true);
});
