import { canonicalEmail } from '../platform/index.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configureCompliance } from './configure.ts';
import { customerKeys, networkBlock, networkKey } from './subject.ts';

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

test('addresses are counted by /24 and /48', () => {
  for (const [ip, block] of [
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:0db8:0001::9', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['::1', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['1::2:3:4:5:6:7', '1:0:2::/48'],
    ['nonsense', undefined],
  ] as const) {
    assert.equal(networkBlock(ip), block, ip);
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
