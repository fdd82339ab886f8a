import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { isLoopback, networkBlock, networkOf, openCallers } from './callers.ts';

const request = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

test('a network is an IPv4 address or the /64 of an IPv6 one', () => {
  assert.equal(networkOf('203.0.113.9'), '203.0.113.9');
  assert.equal(networkOf('::ffff:203.0.113.9'), '203.0.113.9');
  assert.equal(networkOf('2001:db8:0:1:aaaa::1'), networkOf('2001:DB8::1:bbbb:0:0:2'));
  assert.notEqual(networkOf('2001:db8:0:1::1'), networkOf('2001:db8:0:2::1'));
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

test('recognises this machine by its addresses', () => {
  for (const ip of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) assert.ok(isLoopback(ip), ip);
  for (const ip of ['128.0.0.1', '::2', '10.127.0.1']) assert.ok(!isLoopback(ip), ip);
});

test('a caller is the connected peer, unless that is one of our own proxies', () => {
  const open = openCallers([]);
  assert.equal(open(request('203.0.113.9', '198.51.100.1')).ip, '203.0.113.9', 'nobody is believed');
  const callerOf = openCallers(['127.0.0.1', '10.1.0.0/16', '2001:db8::/32', '::1']);
  const ip = (remote: string, forwarded?: string): string => callerOf(request(remote, forwarded)).ip;
  assert.equal(ip('203.0.113.9', '198.51.100.1'), '203.0.113.9', 'a stranger is not believed');
  for (const own of ['127.0.0.1', '::ffff:127.0.0.1', '10.1.255.7', '2001:db8:5::1', '::1']) {
    assert.equal(ip(own, '198.51.100.1'), '198.51.100.1', own);
    assert.equal(ip(own), own);
  }
  for (const other of ['127.0.0.2', '10.2.0.1', '2001:db9::1', '::2', 'nonsense', '']) assert.equal(ip(other, '1.1.1.1'), other);
  // Entries of the caller itself come before those of our proxies.
  assert.equal(ip('127.0.0.1', '9.9.9.9, 198.51.100.1, 10.1.0.5'), '198.51.100.1');
  assert.equal(ip('127.0.0.1', '10.1.0.6,10.1.0.5'), '10.1.0.6', 'the first of our own where all are');
  assert.equal(ip('127.0.0.1', `${'9'.repeat(60)}`), '127.0.0.1', 'no address is that long');
  assert.equal(ip('127.0.0.1', ' ,'), '127.0.0.1');
  // Some proxies add the port, which changes with each connection.
  assert.equal(ip('127.0.0.1', '9.9.9.9:1, 198.51.100.1:50123'), '198.51.100.1');
  assert.equal(ip('127.0.0.1', '198.51.100.1:50123, 10.1.0.5:80'), '198.51.100.1');
  assert.equal(ip('127.0.0.1', '[2001:db9::7]:50123'), '2001:db9::7');
  assert.equal(ip('127.0.0.1', '[2001:db9::7]'), '2001:db9::7');
  // An entry that is no address identifies nobody.
  for (const odd of ['unknown', '_hidden', '1.2.3', '198.51.100.1:', '198.51.100.1:x', '[198.51.100.1', '"198.51.100.1"'])
    assert.equal(ip('127.0.0.1', odd), '127.0.0.1', odd);
});

test('a caller has what limits need to know', () => {
  const callerOf = openCallers([]);
  assert.deepEqual(callerOf(request('::1')), { ip: '::1', network: '0:0:0:0::/64', isHere: true });
  assert.equal(callerOf(request('203.0.113.9')).isHere, false);
  for (let last = 0; last < 25_000; last += 1) callerOf(request(`10.${last >> 8}.${last % 256}.1`));
  assert.equal(callerOf(request('203.0.113.9')).network, '203.0.113.9', 'also after many others');
});

test('reports an unlisted proxy of a private network, and not a stranger’s header', () => {
  const reported: string[] = [];
  const callerOf = openCallers(['10.1.0.0/16'], (ip) => void reported.push(ip));
  for (const [ip, forwarded] of [
    ['127.0.0.1', '203.0.113.9'],
    ['::ffff:192.168.1.4', '203.0.113.9'],
    ['fd00::7', '203.0.113.9'],
    ['10.1.2.3', '203.0.113.9'],
    ['203.0.113.50', '198.51.100.1'],
    ['2001:db8::1', '198.51.100.1'],
    ['172.16.9.9', undefined],
  ] as const)
    callerOf(request(ip, forwarded));
  assert.deepEqual(reported, ['127.0.0.1', '192.168.1.4', 'fd00::7']);
});
