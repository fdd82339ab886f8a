import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeSecret, openSealer, Unopened, openTokens, secret, serverKeys } from './secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'kurs-secrets-'));
after(() => rmSync(folder, { recursive: true }));

test('creates a secret once, readable by its owner only', () => {
  assert.throws(() => secret(folder, 'word'), /no key word in/);
  const first = makeSecret(folder, 'word');
  assert.equal(makeSecret(folder, 'word'), first);
  assert.equal(secret(folder, 'word'), first);
  assert.equal(statSync(join(folder, 'keys')).mode & 0o777, 0o700);
  assert.equal(statSync(join(folder, 'keys/word')).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(join(folder, 'keys')), ['word']);
});

test('refuses a key if file and environment hold different ones', () => {
  const first = makeSecret(folder, 'bot.key');
  const over = (text: string): string => {
    process.env['KURS_KEY_BOT'] = text;
    try {
      return secret(folder, 'bot.key');
    } finally {
      delete process.env['KURS_KEY_BOT'];
    }
  };
  assert.equal(over(`${first}\n`), first);
  assert.throws(() => over('another'), {
    name: 'ConfigError',
    message: /keys\/bot\.key and KURS_KEY_BOT are two different keys/,
  });
});

test('a token belongs to one row and one version of it', () => {
  assert.throws(() => serverKeys(folder), /no key server-v1.key/);
  makeSecret(folder, 'server-v1.key');
  const tokens = openTokens(serverKeys(folder));
  const token = tokens.make('order', 'a', 1);
  assert.match(token, /^[\w-]{43}$/);
  assert.equal(tokens.make('order', 'a', 1), token);
  assert.ok(tokens.check(token, 'order', 'a', 1));
  for (const [kind, id, version] of [
    ['order', 'b', 1],
    ['calculation', 'a', 1],
    ['order', 'a', 2],
  ] as const) {
    assert.ok(!tokens.check(token, kind, id, version));
  }
  assert.ok(!tokens.check('', 'order', 'a', 1));
  assert.ok(!tokens.check(`${token}x`, 'order', 'a', 1));
});

test('a new server key makes new tokens; old ones stay valid and can be made again', () => {
  const before = openTokens(serverKeys(folder));
  const old = before.make('order', 'a', 1);
  writeFileSync(join(folder, 'keys/server-v2.key'), 'ab'.repeat(32), { mode: 0o600 });
  const after = openTokens(serverKeys(folder));
  assert.equal(after.keyVersion, 2);
  assert.notEqual(after.make('order', 'a', 1), old);
  assert.equal(after.make('order', 'a', 1, before.keyVersion), old);
  assert.ok(after.check(old, 'order', 'a', 1));
});

test('opens a sealed text with its key only, and unchanged', () => {
  const keys = serverKeys(folder);
  const sealer = openSealer(keys, 'answers');
  const sealed = sealer.seal(Buffer.from('order token'), ['row', '1']);
  assert.equal(sealed.includes('order'), false);
  assert.equal(sealer.open(sealed, ['row', '1']).toString(), 'order token');
  assert.throws(() => openSealer(keys, 'other').open(sealed, ['row', '1']), Unopened);
  for (const row of [['row', '2'], ['row', '1', ''], ['row1'], []]) assert.throws(() => sealer.open(sealed, row), Unopened);
  assert.throws(() => sealer.open(sealed.subarray(0, 20), ['row', '1']), Unopened);
  sealed[sealed.length - 1]! ^= 1;
  assert.throws(() => sealer.open(sealed, ['row', '1']), Unopened);
});
