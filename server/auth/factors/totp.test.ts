import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configureSecretHashes } from '../../platform/index.ts';
import { testMacKeys } from '../../platform/testing.ts';
import { hashOfRecovery, looksLikeRecovery, newRecoveryCodes } from './recovery-codes.ts';
import { codeOfStep, newSecret, otpauthUrl, stepAt, stepOfCode, writtenSecret } from './totp.ts';

configureSecretHashes(testMacKeys);

const RFC = Buffer.from('12345678901234567890');

test('codes are those of RFC 6238, appendix B', () => {
  // The RFC's table has eight digits; an authenticator shows the last six.
  const table = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const;
  for (const [seconds, code] of table) assert.equal(codeOfStep(RFC, stepAt(new Date(seconds * 1_000))), code);
});

test('a code is good one step early and one late, and never at or before the last one accepted', () => {
  const at = new Date(1_234_567_890_000);
  const now = stepAt(at);
  const found = (step: number, after = 0) => stepOfCode(RFC, codeOfStep(RFC, step), { at, after });
  assert.deepEqual(
    [-2, -1, 0, 1, 2].map((by) => found(now + by)),
    [undefined, now - 1, now, now + 1, undefined],
  );
  assert.equal(found(now, now), undefined);
  assert.equal(found(now - 1, now), undefined);
  assert.equal(found(now + 1, now), now + 1);
  assert.equal(stepOfCode(RFC, '28708', { at, after: 0 }), undefined);
});

test('an authenticator is told the secret by the key URI format', () => {
  const url = new URL(otpauthUrl(RFC, { issuer: 'Kurs & Co', account: 'ann+1@example.org' }));
  assert.equal(url.host, 'totp');
  assert.equal(decodeURIComponent(url.pathname), '/Kurs & Co:ann+1@example.org');
  assert.equal(url.searchParams.get('secret'), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  assert.equal(url.searchParams.get('issuer'), 'Kurs & Co');
  assert.equal(writtenSecret(newSecret()).length, 32);
});

test('recovery codes are ten, unlike, and the same however they are typed', () => {
  const codes = newRecoveryCodes();
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) {
    assert.match(code, /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
    const typed = code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
    assert.ok(looksLikeRecovery(typed));
    assert.deepEqual(hashOfRecovery('a', typed), hashOfRecovery('a', code));
    assert.notDeepEqual(hashOfRecovery('b', code), hashOfRecovery('a', code));
  }
  assert.equal(looksLikeRecovery('123456'), false);
});
