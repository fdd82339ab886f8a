import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decimalText } from '@kurs/money';
import { type LineRow, lineRows, sumOfLines, withRows } from './line-rows.ts';

const row = (quantity: string, unit_price: string, name = 'x'): LineRow => ({ name, quantity, unit_price });
const sum = (rows: LineRow[], locale: 'en' | 'ru' = 'en'): string | undefined => {
  const result = sumOfLines(rows, locale);
  return typeof result === 'object' ? decimalText(result) : result;
};

describe('the lines of a new invoice', () => {
  test('are summed exactly, in the reader’s number format, without blank rows', () => {
    assert.equal(sum([row('3', '0.1'), row('1', '0.2')]), '0.5');
    assert.equal(sum([row('2', '1 000,10'), row('0,5', '3')], 'ru'), '2001.7');
    assert.equal(sum([row('0.000001', '0.000000000000000001')]), '0.000000000000000000000001');
    assert.equal(sum([row('1', '', '')]), undefined);
    assert.equal(sum([row('1', '', ''), row('7', '1.000')]), '7');
  });

  test('have no sum if a quantity or a price can’t be read', () => {
    for (const wrong of [row('', '1'), row('1', ''), row('5k', '1'), row('1', '1O0'), row('1', '9'.repeat(31))])
      assert.equal(sum([row('1', '1'), wrong]), 'unreadable');
  });

  test('are added and removed, and the other fields stay', () => {
    const one = { amount: '5', 'lines.0.name': 'a', 'lines.0.quantity': '2', 'lines.0.unit_price': '1' };
    const two = withRows(one, 'add');
    assert.deepEqual(lineRows(two), [row('2', '1', 'a'), row('1', '', '')]);
    assert.deepEqual(withRows({ ...two, 'lines.1.name': 'b' }, 'remove.0'), {
      ...{ amount: '5', 'lines.0.name': 'b', 'lines.0.quantity': '1', 'lines.0.unit_price': '' },
    });
    assert.deepEqual(lineRows(withRows(one, 'remove.0')), [row('1', '', '')], 'one row is always there');
    let many: Readonly<Record<string, string>> = {};
    for (let count = 0; count < 120; count += 1) many = withRows(many, 'add');
    assert.equal(lineRows(many).length, 100);
  });
});
