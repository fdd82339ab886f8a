import { canonicalEmail } from '../platform/index.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configureCompliance } from './configure.ts';
import { customerKeys, networkKey } from './subject.ts';

test('spellings of one mailbox are one', () => {
  for (const [typed, canonical] of [
    ['Ann@Example.org', 'ann@example.org'],
    ['ann+kurs@example.org', 'ann@example.org'],
    ['a.n.n+x+y@gmail.com', 'ann@gmail.com'],
    ['A.N.N@GoogleMail.com', 'ann@gmail.com'],
    ['a.n.n@example.org', 'a.n.n@example.org'],
    ['+tag@example.org', '+tag@example.org'],
  ] as const) {
    assert.equal(canonicalEmail(typed), canonical);
  }
});

test('limits count e-mail, accounts and device, never the network', () => {
  configureCompliance({ botKey: 'k', countLoopback: true });
  const subject = { email: 'A+b@x.org', accounts: ['BTC:addr', 'BTC:addr'], device: 'd', ip: '203.0.113.7' };
  assert.deepEqual(customerKeys(subject), ['account:BTC:addr', 'device:d', 'email:a@x.org']);
  assert.equal(networkKey(subject), 'net:203.0.113.0/24');
  assert.equal(networkKey({ ...subject, ip: '127.0.0.1' }), 'net:127.0.0.0/24');
});

test('in the sandbox this machine’s own address tells nobody apart', () => {
  configureCompliance({ botKey: 'k', countLoopback: false });
  for (const ip of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
    const subject = { email: 'a@x.org', accounts: [], device: 'd', ip };
    assert.equal(networkKey(subject), undefined);
    assert.deepEqual(customerKeys(subject), ['email:a@x.org']);
  }
  assert.equal(networkKey({ email: 'a@x.org', accounts: [], ip: '203.0.113.7' }), 'net:203.0.113.0/24');
});
