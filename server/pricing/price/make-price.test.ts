// A price is made of what is known and for whom, and of nothing else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Component,
  type CostLine,
  convert,
  format,
  money,
  parse,
  parseRate,
  percent,
  roundTo,
  breakdownForGive,
  totalOf,
} from '@kurs/money';
import fc from 'fast-check';
import { COMPONENTS } from './components.ts';
import { SELL, knownDesk } from '../known/known.testing.ts';
import type { AskedDiscount, PriceContext } from './context.ts';
import { type Priced, type Unpriced, closedAt, makePrice } from './make-price.ts';
import { breakdownOrNone } from './breakdown-or-none.ts';
import type { View } from '../known/view.ts';
import { quoteWire } from '../quotes/wire.ts';

const priced = (made: Priced | Unpriced): Priced => ('terms' in made ? made : assert.fail(made.reason));
const at = (context: PriceContext, change: Partial<View> = {}): Priced => priced(makePrice(knownDesk(change), SELL, context));
const componentsAt = (context: PriceContext, amount = '0.01'): readonly Component[] =>
  breakdownForGive(parse('BTC', amount), at(context).terms).components;
const codes = (components: readonly Component[]): string[] => components.map(({ code }) => code);

test('the same is known, the same is made', () => {
  const known = knownDesk();
  assert.deepEqual(makePrice(known, SELL, { level: 1 }), makePrice(known, SELL, { level: 1 }));
  assert.deepEqual(codes(componentsAt({})), ['fee', 'network']);
});

test('a level moves the bounds, and nothing of the terms', () => {
  const [visitor, known] = [at({}), at({ level: 2 })];
  assert.deepEqual(
    [visitor, known].map(({ bounds }) => format(bounds.max)),
    ['0.01110000', '0.22200000'],
  );
  assert.deepEqual(known.terms, visitor.terms);
});

test('wallets have no costs of a rail, and the very account has its own', () => {
  const sending = { fuel: 'ETH', parts: 4n * 10n ** 14n };
  assert.deepEqual(codes(componentsAt({ wallet: 'get' })), ['fee']);
  const network = (context: PriceContext) => totalOf(componentsAt(context), 'cost');
  assert.deepEqual([network({}), network({ sending })], [667n, 1_334n]);
});

test('a rail that takes part in orders need not take part in anything else', () => {
  const known = knownDesk();
  assert.equal(closedAt(makePrice(known, SELL, { purpose: 'orders' }), Date.now()), undefined);
  assert.equal(closedAt(makePrice(known, SELL, { purpose: 'invoices' }), Date.now()), 'rail_off');
});

test('discounts stand in the terms, are components of each amount, and leave the minimum margin', () => {
  const discounts = [
    { kind: 'loyalty' as const, percent: percent('10') },
    { kind: 'coupon' as const, worth: parse('USDT', '0.45') },
  ];
  // A fee of 0.00005000: 0.000005 and a tenth of it; of a larger coupon what half of the fee leaves.
  const off = (lines: typeof discounts) => componentsAt({ discounts: lines }).filter(({ kind }) => kind === 'discount');
  assert.deepEqual(
    off(discounts).map(({ code, amount }) => [code, amount]),
    [
      ['coupon', 500n],
      ['loyalty', 500n],
    ],
  );
  const rewarded = componentsAt({ discounts: [{ kind: 'coupon', percent: percent('100') }], rewards: percent('98') });
  // A least margin of 0.1 %, 0.00001000, is 0.00050000 before rewards of 98 %: more than the fee.
  assert.equal(totalOf(rewarded, 'discount'), 0n);
  const much = [{ kind: 'coupon' as const, worth: parse('USDT', '90000') }, ...discounts.slice(0, 1)];
  assert.deepEqual(
    off(much).map(({ amount }) => amount),
    [2_000n, 500n],
  );
});

test('why a direction is closed is told without a clock of its own', () => {
  const known = knownDesk({ railsSending: new Set(['bitcoin']) });
  assert.equal(closedAt(makePrice(known, SELL), 0), 'payouts_off');
  const open = knownDesk();
  assert.equal(closedAt(makePrice(open, SELL), Date.now()), undefined);
  const unrated = { ...open, snapshot: undefined };
  assert.equal(closedAt(makePrice(unrated, SELL), 0), 'rates');
  assert.equal(closedAt(makePrice({ ...known, snapshot: undefined }, SELL), 0), 'payouts_off', 'what people say comes first');
});

const share = fc.integer({ min: 1, max: 900 }).map((n) => percent((n / 100).toFixed(2)));
const sum = fc.bigInt(1n, 40_000n).map((parts) => money('BTC', parts));
const costs: fc.Arbitrary<CostLine[]> = fc.array(
  fc.oneof(
    sum.map((fixed) => ({ code: 'storage', fixed })),
    share.map((of) => ({ code: 'insurance', percent: of })),
    share.map((of) => ({ code: 'payout', of: 'got' as const, percent: of })),
  ),
  { maxLength: 4 },
);
const discounts: fc.Arbitrary<AskedDiscount[]> = fc.array(
  fc.oneof(
    sum.map(({ parts }) => ({ kind: 'coupon' as const, worth: money('USDT', parts * 1_000n) })),
    fc.integer({ min: 1, max: 90 }).map((n) => ({ kind: 'loyalty' as const, percent: percent(String(n)) })),
  ),
  { maxLength: 4 },
);

test('whatever its components are, what a quote shows adds up: give − lines, × the shown rate, is get', () => {
  let discounted = 0;
  fc.assert(
    fc.property(costs, discounts, fc.bigInt(20_000n, 10_000_000n), (lines, off, parts) => {
      const source = { kind: 'cost', lines: () => lines } as const;
      const made = priced(makePrice(knownDesk(), SELL, { discounts: off }, [...COMPONENTS, source]));
      const breakdown = breakdownOrNone(money('BTC', parts), made.terms);
      if (!breakdown) return;
      const { give, get, fees, discount, rate } = quoteWire({ ...made, breakdown, at: new Date(0), expiresAt: new Date(0) });
      const partsOf = ({ amount }: { amount: string }): bigint => parse('BTC', amount).parts;
      if (discount) discounted += 1;
      const left = fees.reduce((rest, fee) => rest - partsOf(fee), partsOf(give)) + (discount ? partsOf(discount) : 0n);
      const worth = convert(money('BTC', left), 'BTC', parseRate(rate.base, rate.quote, rate.value), 'USDT', 'down');
      assert.equal(parse('USDT', get.amount).parts, roundTo(worth, 2, 'down').parts);
    }),
    { numRuns: 300 },
  );
  assert.ok(discounted > 50, String(discounted));
});
