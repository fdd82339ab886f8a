import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCaps } from './limits.ts';

test('caps are read exactly, in the parts of each currency’s unit', () => {
  assert.deepEqual(
    parseCaps('BTC=0.5, USDT_ERC20=1000, ETH=1.000000000000000001'),
    new Map([
      ['BTC', 50_000_000n],
      ['USDT_ERC20', 1_000_000_000n],
      ['ETH', 1_000_000_000_000_000_001n],
    ]),
  );
  assert.deepEqual(parseCaps(''), new Map());
});

test('a cap that can be misread is refused', () => {
  for (const text of [
    'BTC',
    'BTC=',
    'BTC=1e3',
    'BTC=-1',
    'BTC=1,5',
    'BTC=1 BTC=2',
    'BTC=1,BTC=2',
    'BTC=0.123456789',
    'FOO=1',
    'btc=1',
  ]) {
    assert.throws(() => parseCaps(text), text);
  }
});
