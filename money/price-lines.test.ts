// Tables for each line of a price: the fee step that applies, the bounds of a line, and rounding.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CostLine,
  type PriceTerms,
  type PriceBreakdown,
  PriceError,
  format,
  fraction,
  lineAmount,
  money,
  parse,
  parseRate,
  percent,
  percentText,
  breakdownForGet,
  breakdownForGive,
  totalOf,
  zero,
} from './index.ts';

const usdt = (amount: string) => parse('USDT', amount);

const feeOf = ({ components }: PriceBreakdown) => money('USDT', totalOf(components, 'fee'));

/** Terms without any fee or cost; tests add what they need. */
const FREE: PriceTerms = {
  giveUnit: 'USDT',
  getUnit: 'PAYPAL_USD',
  giveDigits: 2,
  getDigits: 2,
  rate: parseRate('USDT', 'USD', '1'),
  spread: [{ from: zero('USDT'), percent: percent('0') }],
  minFee: zero('USDT'),
  costs: [],
  discounts: [],
  minMargin: { percent: percent('0'), min: zero('USDT'), afterRewards: fraction(1n, 1n) },
};

test('the last fee step that an amount reaches applies; below all steps, the first one', () => {
  const one: PriceTerms = {
    ...FREE,
    spread: [
      { from: usdt('10'), percent: percent('4') },
      { from: usdt('100'), percent: percent('2') },
      { from: usdt('1000'), percent: percent('1') },
    ],
  };
  const table: [give: string, list: string][] = [
    ['5', '0.20'],
    ['10', '0.40'],
    ['99.99', '4.00'],
    ['100', '2.00'],
    ['999.99', '20.00'],
    ['1000', '10.00'],
    ['5000', '50.00'],
  ];
  for (const [give, list] of table) assert.equal(format(feeOf(breakdownForGive(usdt(give), one)), 2), list, give);
  assert.throws(() => breakdownForGive(usdt('5'), { ...one, spread: [] }), RangeError);
});

test('a line is its percentage plus its fixed sum, between its minimum and its cap', () => {
  const line = { code: 'rail', percent: percent('1'), fixed: usdt('0.50') };
  const table: [bounds: Partial<CostLine>, base: string, amount: string][] = [
    [{}, '100', '1.50'],
    [{ min: usdt('1.50') }, '100', '1.50'],
    [{ min: usdt('1.51') }, '100', '1.51'],
    [{ cap: usdt('1.50') }, '100', '1.50'],
    [{ cap: usdt('1.49') }, '100', '1.49'],
    [{ min: usdt('1'), cap: usdt('2') }, '10', '1.00'],
    [{ min: usdt('1'), cap: usdt('2') }, '1000', '2.00'],
  ];
  for (const [bounds, base, amount] of table) {
    assert.equal(format(lineAmount({ ...line, ...bounds }, usdt(base), 'up'), 2), amount, `${base} → ${amount}`);
  }
});

test('a line on the amount paid out is exact if it divides evenly, and within its bounds', () => {
  const table: [line: Partial<CostLine>, give: string, taken: string][] = [
    [{ percent: percent('2') }, '102', '2.00'],
    [{ percent: percent('2') }, '102.01', '2.01'],
    [{ percent: percent('2'), fixed: usdt('1') }, '103', '3.00'],
    [{ fixed: usdt('1') }, '103', '1.00'],
    [{ percent: percent('2'), min: usdt('5') }, '102', '5.00'],
    [{ percent: percent('2'), cap: usdt('1') }, '102', '1.00'],
  ];
  for (const [line, give, taken] of table) {
    const { components } = breakdownForGive(usdt(give), { ...FREE, costs: [{ code: 'payout', of: 'got', ...line }] });
    assert.equal(format(money('USDT', totalOf(components, 'cost')), 2), taken, `${give} → ${taken}`);
  }
  const half: CostLine = { code: 'payout', of: 'got', percent: percent('50') };
  const { components } = breakdownForGive(usdt('100.000001'), { ...FREE, giveDigits: 6, costs: [half] });
  assert.equal(totalOf(components, 'cost'), 33_333_334n, 'to the last part, where payments are as fine');
});

test('requested amounts and the minimum fee are rounded up to the digits of payments', () => {
  // A dollar is 100 parts; here amounts paid out are rounded to tens of parts.
  const tens = { ...FREE, getDigits: 1 };
  assert.deepEqual(breakdownForGet(parse('PAYPAL_USD', '10.01'), tens).get, parse('PAYPAL_USD', '10.10'));
  assert.equal(format(feeOf(breakdownForGive(usdt('10'), { ...FREE, minFee: usdt('0.200001') })), 2), '0.21');
});

test('a request for zero needs the smallest amount; one that no amount brings is refused', () => {
  assert.deepEqual(breakdownForGet(zero('PAYPAL_USD'), FREE).give, usdt('0.01'));
  const all = { ...FREE, costs: [{ code: 'rail', percent: percent('100') }] };
  for (const work of [() => breakdownForGet(parse('PAYPAL_USD', '10'), all), () => breakdownForGive(usdt('10'), all)]) {
    assert.throws(work, (error) => error instanceof PriceError && error.code === 'too_small' && error.name === 'PriceError');
  }
});

test('a discount of exactly the maximum is not trimmed; one pay unit more is', () => {
  const one = { ...FREE, spread: [{ from: zero('USDT'), percent: percent('1') }] };
  const off = (fixed: string) =>
    totalOf(
      breakdownForGive(usdt('100'), { ...one, discounts: [{ code: 'coupon', fixed: usdt(fixed) }] }).components,
      'discount',
    );
  for (const request of ['0.50', '0.51']) assert.equal(off(request), usdt('0.50').parts);
});

test('a component has the name and account of its line, or those of its kind', () => {
  const one: PriceTerms = {
    ...FREE,
    spread: [{ from: zero('USDT'), percent: percent('1') }],
    costs: [
      { code: 'network', fixed: usdt('1') },
      { code: 'insurance', fixed: usdt('2'), words: 'network', account: 'income:spread', payer: 'desk' },
      { code: 'storage', fixed: usdt('3') },
    ],
    discounts: [{ code: 'coupon', fixed: usdt('0.10') }],
  };
  const { components } = breakdownForGive(usdt('100'), one);
  assert.deepEqual(components, [
    { code: 'fee', words: 'fee', kind: 'fee', account: 'income:spread', payer: 'customer', amount: 1_000_000n, percent: '1' },
    { code: 'coupon', words: 'coupon', kind: 'discount', account: 'spent:discount', payer: 'desk', amount: 100_000n },
    { code: 'network', words: 'network', kind: 'cost', account: 'income:fee', payer: 'customer', amount: 1_000_000n },
    { code: 'insurance', words: 'network', kind: 'cost', account: 'income:spread', payer: 'desk', amount: 2_000_000n },
    { code: 'storage', words: 'other', kind: 'cost', account: 'income:fee', payer: 'customer', amount: 3_000_000n },
  ]);
  const [min] = breakdownForGive(usdt('100'), { ...one, minFee: usdt('1') }).components;
  assert.deepEqual([min?.words, 'percent' in min!], ['fee_least', false], 'as much as the smallest fee is the smallest fee');
});

test('a share is written as it was parsed', () => {
  for (const text of ['0', '1.5', '0.0001', '100', '99.99']) assert.equal(percentText(percent(text)), text);
  assert.throws(() => percentText(fraction(1n, 3n)), RangeError);
});
