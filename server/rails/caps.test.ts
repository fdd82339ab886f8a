import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCaps } from './caps.ts';

test('reads caps exactly, in minor units of each currency', () => {
  assert.deepEqual(parseCaps('BTC=0.5, USDT_ERC20=1000, ETH=1.000000000000000001'), {
    daily: new Map([
      ['BTC', 50_000_000n],
      ['USDT_ERC20', 1_000_000_000n],
      ['ETH', 1_000_000_000_000_000_001n],
    ]),
    unread: [],
  });
  assert.deepEqual(parseCaps(''), { daily: new Map(), unread: [] });
});

test('refuses an ambiguous cap of the currencies that it names, and keeps other caps', () => {
  for (const text of [
    'BTC',
    'BTC=',
    'BTC=1e3',
    'BTC=-1',
    'BTC=1,5',
    'BTC=1 BTC=2',
    'BTC=1,BTC=2',
    'BTC=1,BTC=2,BTC=3',
    'BTC=0.123456789',
    'BTC=1.2.3',
    'btc=1',
  ]) {
    const { daily, unread } = parseCaps(`ETH=2, ${text}`);
    assert.deepEqual([...daily.keys()], ['ETH'], text);
    assert.ok(unread.length > 0 && unread.every(({ codes }) => codes.includes('BTC')), text);
  }
  assert.deepEqual(parseCaps('FOO=1').unread, [{ codes: ['FOO'], entry: 'FOO=1' }]);
});
