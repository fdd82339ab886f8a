import assert from 'node:assert/strict';
import { createHmac, hkdfSync } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { type MacPurpose, configureMacs, isMac, macOf } from './macs.ts';

const [old, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
// Other test files in this process set other keys.
let others: ReadonlyMap<number, Buffer>;
before(() => void (others = configureMacs(new Map())));
afterEach(() => void configureMacs(new Map()));
after(() => void configureMacs(others));

test('a MAC is valid for one content and one purpose, with hyphens too', () => {
  configureMacs(new Map([[1, old]]));
  const mac = macOf('journal', 'a');
  assert.match(mac, /^[0-9a-f]{32}$/);
  assert.ok(isMac('journal', 'a', mac));
  assert.ok(isMac('journal', 'a', mac.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')));
  assert.deepEqual([isMac('journal', 'b', mac), isMac('payout', 'a', mac), isMac('journal', 'a', null)], [false, false, false]);
  assert.equal(isMac('journal', 'a', 'beef'), false);
});

test('a MAC is the HMAC-SHA256 of its content, under a key for its purpose, cut to 128 bits', () => {
  configureMacs(new Map([[1, old]]));
  const key = Buffer.from(hkdfSync('sha256', old, '', 'kurs mac order', 32));
  for (const content of ['', 'a', 'ё 💶\n', 'x'.repeat(63), 'x'.repeat(64), 'y'.repeat(100_000)])
    assert.equal(macOf('order', content), createHmac('sha256', key).update(content).digest('hex').slice(0, 32));
});

test('an added key makes new MACs, and MACs of older keys stay valid', () => {
  configureMacs(new Map([[1, old]]));
  const before = macOf('payout', 'a');
  configureMacs(
    new Map([
      [1, old],
      [2, newer],
    ]),
  );
  assert.notEqual(macOf('payout', 'a'), before);
  assert.ok(isMac('payout', 'a', before) && isMac('payout', 'a', macOf('payout', 'a')));
  configureMacs(new Map([[2, newer]]));
  assert.equal(isMac('payout', 'a', before), false);
});

test('makes no MAC without a key', () => {
  assert.throws(() => macOf('journal', 'a'), /no keys/);
});

const ROOT = join(import.meta.dirname, '../../..');
const PURPOSES = [
  ...(/MacPurpose =([^;]*);/.exec(readFileSync(join(import.meta.dirname, 'macs.ts'), 'utf8'))?.[1] ?? '').matchAll(/'([^']+)'/g),
].map(([, name]) => name as MacPurpose);

test('a MAC of one table is valid for no other, whatever the content', () => {
  configureMacs(
    new Map([
      [1, old],
      [2, newer],
    ]),
  );
  assert.ok(PURPOSES.length > 40);
  assert.equal(new Set(PURPOSES).size, PURPOSES.length);
  for (const made of PURPOSES)
    assert.deepEqual(
      PURPOSES.filter((purpose) => isMac(purpose, 'the same', macOf(made, 'the same'))),
      [made],
    );
});

test('one file alone makes the MACs of a purpose, so that no two tables share it', () => {
  const files = globSync('server/**/*.ts', { cwd: ROOT }).filter(
    (path) => !/node_modules|\.(test|testing|contract)\.ts$/.test(path),
  );
  const uses = files.flatMap((path) =>
    [
      ...readFileSync(join(ROOT, path), 'utf8').matchAll(
        /\bmacOf\(\s*'([^']+)'(?!, content\) ===)|\bpurpose: '((?:audit )?seal)',/g,
      ),
    ].map(([, called, named]) => ({ purpose: called ?? named ?? '', path })),
  );
  const of = Map.groupBy(uses, ({ purpose }) => purpose);
  const makers = PURPOSES.map((purpose) => [purpose, new Set(of.get(purpose)?.map(({ path }) => path)).size]);
  assert.deepEqual(
    makers.filter(([, count]) => count !== 1),
    [],
  );
});
