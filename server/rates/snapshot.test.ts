import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convert, format, formatRate, money, parse } from '@kurs/money';
import fc from 'fast-check';
import { type AssetPrice, type Snapshot, closedReason, deviationOf, marketRate, mid, usdValue } from './snapshot.ts';

const AT = new Date(Date.UTC(2026, 0, 1));
const price = (bid: string, ask = bid, more: Partial<AssetPrice> = {}): AssetPrice => ({
  bid,
  ask,
  at: AT.toISOString(),
  live: 3,
  deviation: '0.1000',
  ...more,
});
const { at: _, ...peg } = price('1', '1', { live: 1, deviation: '0.0000' });
const snapshot = (assets: Record<string, AssetPrice> = {}): Snapshot => ({
  version: 7n,
  at: AT,
  body: {
    assets: { USD: peg, BTC: price('90000', '90010'), USDT: price('0.9995', '0.9996'), ...assets },
    sources: {},
    isSeeded: false,
  },
});

test('a customer is dealt the worse side of each asset, larger asset first, cut towards the desk', () => {
  const gives = marketRate(snapshot(), 'BTC', 'USDT');
  // 90000 ÷ 0.9996 = 90036.01440…: cut down, they get less.
  assert.deepEqual([gives.base, gives.quote, formatRate(gives)], ['BTC', 'USDT', '90036.014']);
  const gets = marketRate(snapshot(), 'USDT', 'BTC');
  // 90010 ÷ 0.9995 = 90055.02751…: cut up, they pay more.
  assert.deepEqual([gets.base, gets.quote, formatRate(gets)], ['BTC', 'USDT', '90055.028']);
});

test('the same asset is worth itself, however far its bid and ask are apart', () => {
  const cents = fc.integer({ min: 1, max: 10_000_000 });
  fc.assert(
    fc.property(cents, cents, fc.bigInt({ min: 0n, max: 10n ** 15n }), (bid, spread, parts) => {
      const text = (sum: number): string => `${Math.trunc(sum / 10_000)}.${String(sum % 10_000).padStart(4, '0')}`;
      const market = snapshot({ EUR: price(text(bid), text(bid + spread)) });
      const rate = marketRate(market, 'EUR', 'EUR');
      assert.equal(formatRate(rate), '1');
      for (const [give, get] of [
        ['PAYEER_EUR', 'WME'],
        ['WME', 'PAYEER_EUR'],
      ] as const)
        assert.equal(convert(money(give, parts), 'EUR', rate, get, 'down').parts, parts);
    }),
  );
});

test('values are taken at the middles and rounded up to the cent', () => {
  assert.equal(formatRate(mid(snapshot(), 'BTC', 'USD')), '90005');
  assert.equal(format(usdValue(snapshot(), parse('BTC', '0.01')), 2), '900.05');
  assert.equal(format(usdValue(snapshot(), money('BTC', 1n))), '0.01');
  assert.equal(format(usdValue(snapshot(), parse('PAYPAL_USD', '5.00'))), '5.00');
  assert.throws(() => usdValue(snapshot(), money('ETH', 1n)), RangeError);
});

test('what closes a price', () => {
  const later = (seconds: number): Date => new Date(AT.getTime() + seconds * 1_000);
  assert.equal(closedReason(undefined, AT, ['BTC']), 'rates');
  assert.equal(closedReason(snapshot(), AT, ['ETH']), 'rates');
  assert.equal(closedReason(snapshot(), later(30), ['BTC', 'USDT']), undefined);
  assert.equal(closedReason(snapshot(), later(30.001), ['BTC', 'USDT']), 'rates_old');
  assert.equal(closedReason(snapshot(), later(9_999), ['USD']), undefined, 'a peg never grows old');
  const closed = snapshot({ USDT: price('1', '1', { closed: 'rates_apart' }) });
  assert.equal(closedReason(closed, AT, ['BTC', 'USDT']), 'rates_apart');
  assert.equal(closedReason(closed, AT, ['BTC']), undefined, 'an asset closes its own directions only');
});

test('the deviation of a pair is never below what its two can make', () => {
  assert.deepEqual(deviationOf(snapshot(), 'BTC', 'USDT'), { numerator: 1n, denominator: 500n });
  assert.equal(deviationOf(snapshot(), 'BTC', 'BTC').numerator, 0n);
});
