import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeSecret } from './secrets.ts';
import { openSignatures, signaturesFrom } from './signatures.ts';

const folder = mkdtempSync(join(tmpdir(), 'kurs-signatures-'));
after(() => rmSync(folder, { recursive: true }));

test('signatures are those of RFC 8032, 7.1', () => {
  // Test 2 of the RFC.
  const seed = Buffer.from('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', 'hex');
  const one = signaturesFrom([seed]);
  const [own] = one.publicKeys;
  assert.equal(
    Buffer.from(own?.key ?? '', 'base64url').toString('hex'),
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  );
  const signature = Buffer.from(one.sign(Buffer.from([0x72]), one.newest) ?? '', 'base64url').toString('hex');
  assert.equal(
    signature,
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  );
  assert.throws(() => signaturesFrom([]));
});

test('reading never creates a key, and older keys stay in use after a rotation', async () => {
  const bytes = Buffer.from('terms');
  assert.throws(() => openSignatures(folder, 'receipt'), /no key receipt-v1.key/);
  makeSecret(folder, 'receipt-v1.key');
  const first = openSignatures(folder, 'receipt');
  assert.equal(statSync(join(folder, 'keys/receipt-v1.key')).mode & 0o777, 0o600);
  assert.deepEqual(openSignatures(folder, 'receipt').publicKeys, first.publicKeys);
  writeFileSync(join(folder, 'keys/receipt-v10.key'), `${'10'.repeat(32)}\n`);
  writeFileSync(join(folder, 'keys/receipt-v2.key'), `${'02'.repeat(32)}\n`);
  writeFileSync(join(folder, 'keys/receipt-v3.key.old'), 'no key');
  const rotated = openSignatures(folder, 'receipt');
  assert.equal(rotated.publicKeys.length, 3);
  assert.deepEqual(rotated.publicKeys[0], first.publicKeys[0]);
  assert.equal(rotated.newest, signaturesFrom([Buffer.from('10'.repeat(32), 'hex')]).newest);
  assert.equal(rotated.sign(bytes, first.newest), first.sign(bytes, first.newest));
  assert.notEqual(rotated.sign(bytes, rotated.newest), first.sign(bytes, first.newest));
  unlinkSync(join(folder, 'keys/receipt-v2.key'));
  assert.equal(openSignatures(folder, 'receipt').sign(bytes, rotated.publicKeys[1]?.id ?? ''), undefined);
});
