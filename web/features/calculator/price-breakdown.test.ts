import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { convert, format, money, parse, parseRate, roundTo } from '@kurs/money';
import { CURRENCIES, DIRECTIONS, quoteOf } from '../../testing/stub-terms.ts';
import type { Currency } from '../currency.ts';
import { choicesOf, pairWith } from './choose-pair.ts';
import { type Direction, calculate, viewOfQuote } from './price-breakdown.ts';
import { usualAmount } from './usual-amount.ts';

const shown = (code: string): Currency => {
  const found = CURRENCIES.find((currency) => currency.code === code);
  assert.ok(found);
  return { ...found, payDigits: found.pay_precision, digits: found.precision };
};
const [BTC, USDT] = [shown('BTC'), shown('USDT_ERC20')];
const [sell, buy] = DIRECTIONS as [Direction, Direction];

test('the browser computes the same price breakdown as the server’s quote, from either side', () => {
  for (const [text, side, direction] of [
    ['0.008', 'give', sell],
    ['700', 'get', sell],
    ['333.33', 'give', buy],
    ['0.0051', 'get', buy],
  ] as const) {
    const [give, get] = direction === sell ? [BTC, USDT] : [USDT, BTC];
    const { view, amount, problem } = calculate(text, side, direction, give, get, 'en');
    assert.equal(problem, undefined);
    const quote = viewOfQuote(quoteOf({ from: direction.from, to: direction.to, amount: amount as string, side }, new Date(0)));
    const plain = (text_: string): string => text_.replace(/0+$/, '');
    assert.ok(view);
    assert.equal(plain(view.give.amount), plain(quote.give.amount));
    assert.equal(plain(view.get.amount), plain(quote.get.amount));
    assert.equal(plain(view.exchanged.amount), plain(quote.exchanged.amount));
    assert.deepEqual(
      view.fees.map(({ code, sum }) => [code, plain(sum.amount)]),
      quote.fees.map(({ code, sum }) => [code, plain(sum.amount)]),
    );
  }
});

const decimals = (max: number, digits: number) => fc.integer({ min: 1, max }).map((n) => (n / 10 ** digits).toFixed(digits));
const share = decimals(500, 2);
const sum = decimals(60_000, 8);

/** Generates published terms with costs of each form and with discounts. */
const terms: fc.Arbitrary<NonNullable<Direction['terms']>> = fc.record({
  rate: fc.integer({ min: 1_000_000, max: 9_999_999 }).map((n) => ({ base: 'BTC', quote: 'USDT', value: String(n / 100) })),
  spread: share.map((percent) => [{ from: '0', percent }]),
  least_fee: sum,
  costs: fc.array(
    fc.oneof(
      sum.map((fixed) => ({ code: 'network', fixed })),
      share.map((percent) => ({ code: 'payin', percent })),
      share.map((percent) => ({ code: 'payout', of: 'got' as const, percent })),
    ),
    { maxLength: 3 },
  ),
  discounts: fc.array(
    fc.oneof(
      sum.map((fixed) => ({ code: 'coupon', fixed })),
      fc.integer({ min: 1, max: 60 }).map((n) => ({ code: 'loyalty', percent: String(n) })),
      fc.integer({ min: 1, max: 40 }).map((n) => ({ code: 'friend', of: 'rest' as const, percent: String(n / 2) })),
    ),
    { maxLength: 3 },
  ),
  min_margin_percent: fc.constant('0.10'),
  min_margin: sum,
  keep_after_rewards: fc.constantFrom('100', '55'),
});

test('the price shown while typing adds up with discounts: (give − lines + discount) × shown rate = get', () => {
  let discounted = 0;
  fc.assert(
    fc.property(terms, fc.integer({ min: 1, max: 30_000_000 }), fc.constantFrom('give', 'get'), (published, parts, side) => {
      const direction = { ...sell, min: '0', max: '1000', reserve: '90000000', terms: published };
      const text = side === 'give' ? format(money('BTC', BigInt(parts))) : (parts / 100).toFixed(2);
      const { view } = calculate(text, side as 'give' | 'get', direction, BTC, USDT, 'en');
      if (!view) return;
      const partsOf = ({ amount }: { amount: string }): bigint => parse('BTC', amount).parts;
      const off = view.discounts.reduce((all, { sum }) => all + partsOf(sum), 0n);
      if (off > 0n) discounted += 1;
      const left = view.fees.reduce((rest, line) => rest - partsOf(line.sum), partsOf(view.give)) + off;
      assert.equal(left, partsOf(view.exchanged));
      const rate = parseRate(view.rate.base, view.rate.quote, view.rate.value);
      const got = roundTo(convert(money('BTC', left), 'BTC', rate, 'USDT', 'down'), 2, 'down');
      assert.equal(got.parts, parse('USDT', view.get.amount).parts);
    }),
    { numRuns: 400 },
  );
  assert.ok(discounted > 50, String(discounted));
});

test('a limit’s problem carries the nearest allowed amount', () => {
  assert.deepEqual(calculate('10', 'give', buy, USDT, BTC, 'en').problem, {
    code: 'below_min',
    limit: { amount: '50.00', currency: 'USDT_ERC20' },
    side: 'give',
  });
  assert.equal(calculate('5000', 'give', buy, USDT, BTC, 'en').problem?.code, 'above_max');
  assert.equal(calculate('200000', 'get', { ...sell, max: '100.00000000' }, BTC, USDT, 'en').problem?.code, 'above_reserve');
  assert.equal(calculate('1', 'give', buy, USDT, BTC, 'en').problem?.code, 'eaten');
});

test('an amount that equals a limit is allowed', () => {
  const whole = { ...sell, max: '1.00000000', reserve: '5000000.00' };
  assert.equal(calculate(sell.min, 'give', sell, BTC, USDT, 'en').problem, undefined);
  const { view, problem } = calculate(whole.max, 'give', whole, BTC, USDT, 'en');
  assert.equal(problem, undefined);
  assert.ok(view);
  const exact = { ...whole, reserve: view.get.amount };
  assert.equal(calculate(whole.max, 'give', exact, BTC, USDT, 'en').problem, undefined);
  assert.equal(calculate('1.01', 'give', exact, BTC, USDT, 'en').problem?.code, 'above_max');
});

test('an amount with more digits than the arithmetic allows is above the maximum, on either side', () => {
  for (const length of [29, 31, 40, 60, 200]) {
    for (const side of ['give', 'get'] as const) {
      const { problem } = calculate('9'.repeat(length), side, buy, USDT, BTC, 'en');
      assert.deepEqual(problem, { code: 'above_max', limit: { amount: '1000.00', currency: 'USDT_ERC20' }, side: 'give' });
    }
  }
});

test('of two upper limits the stricter one is reported', () => {
  const scarce = { ...sell, max: '1.00000000', reserve: '500.00' };
  assert.equal(calculate('99', 'give', scarce, BTC, USDT, 'en').problem?.code, 'above_reserve');
  assert.equal(calculate('99', 'give', { ...scarce, reserve: '5000000.00' }, BTC, USDT, 'en').problem?.code, 'above_max');
});

test('an empty field is no error, a zero or unreadable amount is', () => {
  assert.deepEqual(calculate(' ', 'give', buy, USDT, BTC, 'en'), {});
  for (const none of ['0', '0.', '0.0000000000000001'])
    assert.equal(calculate(none, 'give', buy, USDT, BTC, 'en').problem?.code, 'below_min', none);
  assert.equal(calculate('abc', 'give', buy, USDT, BTC, 'en').problem?.code, 'unreadable');
  assert.equal(calculate('1.2.3', 'give', buy, USDT, BTC, 'en').problem?.code, 'unreadable');
  assert.equal(calculate('-5', 'give', buy, USDT, BTC, 'en').problem?.code, 'unreadable');
});

test('a number is read as its language writes it', () => {
  assert.equal(calculate('1 000,5', 'give', buy, USDT, BTC, 'ru').amount, '1000.5');
  assert.equal(calculate('1,000.50', 'give', buy, USDT, BTC, 'en').amount, '1000.50');
});

test('the minimum fee is shown without a percentage', () => {
  assert.equal(calculate('30', 'give', buy, USDT, BTC, 'en').view?.fees[0]?.percent, undefined);
  assert.equal(calculate('300', 'give', buy, USDT, BTC, 'en').view?.fees[0]?.percent, '0.5');
});

test('picking a currency keeps the other side if possible and swaps both if necessary', () => {
  const pair = { from: 'BTC', to: 'USDT_ERC20' };
  assert.deepEqual(pairWith(DIRECTIONS, pair, 'give', 'USDT_ERC20'), { from: 'USDT_ERC20', to: 'BTC' });
  assert.deepEqual(pairWith(DIRECTIONS, pair, 'get', 'USDT_ERC20'), pair);
  const more = [...DIRECTIONS, { ...sell, from: 'ETH', to: 'TRX' }];
  assert.deepEqual(pairWith(more, pair, 'give', 'ETH'), { from: 'ETH', to: 'TRX' });
  assert.deepEqual(choicesOf([{ ...sell, open: false }], 'give'), [{ code: 'BTC', isOpen: false }]);
});

test('a calculator starts with a round amount well above the minimum, or with the minimum if that is too much', () => {
  const usual = (changed: Partial<Direction>): string => usualAmount({ ...sell, ...changed }, BTC, USDT);
  for (const [min, amount] of [
    ['0.00015', '0.002'],
    ['0.0001', '0.002'],
    ['0.0003', '0.005'],
    ['0.00007', '0.001'],
  ] as const)
    assert.equal(usual({ min }), format(parse('BTC', amount)));
  assert.equal(usual({ min: '0.0001', max: '0.0019' }), format(parse('BTC', '0.001')));
  assert.equal(usual({ min: '0.0001', max: '0.00015' }), '0.0001');
  assert.equal(usual({ min: '0.0001', reserve: '5' }), '0.0001');
  const known = usualAmount({ ...sell, min: '0.0001' }, { ...BTC, payerLevel: 2 }, USDT);
  assert.equal(known, format(parse('BTC', '0.0005')), 'less where a payer’s first orders have limits of their own');
});
