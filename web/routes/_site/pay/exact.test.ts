import assert from 'node:assert/strict';
import { test } from 'node:test';
import { productOf, shareOf } from './exact.ts';

test('a product of decimals is exact', () => {
  for (const [one, other, product] of [
    ['2', '34.00', '68.00'],
    ['0.1', '0.2', '0.02'],
    ['2.5', '10.30', '25.750'],
    ['0.000001', '0.00000001', '0.00000000000001'],
    ['3', '7', '21'],
    ['99999999999999999999', '1.000001', '100000099999999999998.999999'],
  ] as const)
    assert.equal(productOf(one, other), product, `${one} × ${other}`);
});

test('a share is a percentage between 0 and 100, rounded down', () => {
  for (const [parts, whole, share] of [
    [['0'], '84.50', '0'],
    [['40'], '84.50', '47'],
    [['40.00', '20'], '84.50', '71'],
    [['84.50'], '84.5', '100'],
    [['84.49'], '84.5', '99'],
    [['90', '1'], '84.50', '100'],
    [['0.00000001'], '1', '0'],
    [['1'], '0', '0'],
  ] as const)
    assert.equal(shareOf(parts, whole), share, `${parts.join(' + ')} of ${whole}`);
});
