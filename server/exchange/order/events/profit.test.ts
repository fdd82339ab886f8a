import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '@kurs/money';
import { maturesAt } from './maturity.ts';
import type { OrderPublished } from './order-published.ts';
import { profitOf, worthOf } from './profit.ts';

type Price = OrderPublished['price'];
const RATE = { base: 'USD', quote: 'USDT', numerator: '1', denominator: '1' };
const usdt = (sum: string): bigint => parse('USDT', sum).parts;

/** Returns a price of an amount given, with its lines as `kind code sum`. */
function price(unit: string, give: string, lines: readonly string[], more: Partial<Price> = {}): Price {
  const side = { currency: unit, unit, parts: parse(unit, give).parts.toString() };
  return {
    ...{
      isBooked: true,
      give: side,
      get: side,
      exchanged: '0',
      rate: RATE,
      mid: null,
      retained: '0',
      provision: '0',
      margin: '0',
    },
    rewardMid: RATE,
    lines: lines.map((line) => {
      const [kind = '', code = '', sum = ''] = line.split(' ');
      const [account, payer] = ['income:spread', 'customer'] as const;
      return { kind: kind as 'fee', code, account, payer, parts: parse(unit, sum).parts.toString() };
    }),
    ...more,
  };
}

test('the desk’s profit on an order: both worked examples, and never below zero', () => {
  const paypal = ['fee fee 50.00', 'discount coupon 20.00', 'discount loyalty 5.00', 'cost payin 35.39', 'cost network 4.50'];
  const parts = (sum: string): string => parse('PAYPAL_USD', sum).parts.toString();
  const taken = { retained: parts('35.39'), provision: parts('10.00') };
  assert.equal(profitOf(price('PAYPAL_USD', '1000.00', paypal, taken)), usdt('15'));
  assert.equal(
    profitOf(price('PAYPAL_USD', '1000.00', paypal, { ...taken, retained: parts('36.39') })),
    usdt('14'),
    'kept beyond',
  );
  assert.equal(profitOf(price('PAYPAL_USD', '1000.00', paypal, { ...taken, retained: parts('30.00') })), usdt('15'), 'not below');
  assert.equal(profitOf(price('PAYPAL_USD', '1000.00', paypal, { ...taken, retained: parts('99.00') })), 0n);
  const btc = [
    ...['fee fee 0.00006250', 'discount coupon 0.00002032', 'discount friend 0.00000468', 'discount loyalty 0.00000625'],
    'cost network 0.00005625',
  ];
  const rewardMid = { base: 'BTC', quote: 'USDT', numerator: '80000', denominator: '1' };
  assert.equal(profitOf(price('BTC', '0.01250000', btc, { rewardMid })), usdt('2.8744'));
  assert.equal(worthOf(price('BTC', '0.01250000', btc, { rewardMid })), usdt('1000'));
  assert.deepEqual(
    [worthOf, profitOf].map((of) => of(price('BTC', '1', btc, { rewardMid: null }))),
    [0n, 0n],
  );
});

test('an order matures by how it was paid', () => {
  const days = (way: OrderPublished['paidBy']['way'], isReversible = false): number =>
    maturesAt({ way, isReversible }, new Date(0)).getTime() / 86_400_000;
  assert.deepEqual([days('chain'), days('wallet'), days('e-wallet'), days('voucher')], [7, 7, 14, 14]);
  assert.equal(days('e-wallet', true), 180);
});
