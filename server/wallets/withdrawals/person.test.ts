import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskEmail, senderNamed } from './person.ts';

test('a masked address shows its first letter and host, a short one only the host', () => {
  assert.equal(maskEmail('ann.smith@example.org'), 'a•••@example.org');
  assert.equal(maskEmail('a@example.org'), '•••@example.org');
  assert.equal(maskEmail('"a@b"@example.org'), '"•••@example.org');
  assert.equal(maskEmail('ёж@пример.рф'), 'ё•••@пример.рф');
  assert.equal(maskEmail('nobody'), 'n•••');
});

test('a name is never shown without the address', () => {
  assert.equal(senderNamed({ name: ' Ann ', email: 'ann@example.org' }), 'Ann (a•••@example.org)');
  assert.equal(senderNamed({ name: ' ', email: 'ann@example.org' }), 'a•••@example.org');
});
