// A price depends only on its inputs and its context.

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
import type { RequestedDiscount, PriceContext } from './context.ts';
import { type Priced, type Unpriced, closedAt, makePrice } from './make-price.ts';
import { breakdownOrNone } from './breakdown-or-none.ts';
import type { View } from '../known/view.ts';
import { quoteWire } from '../quotes/wire.ts';

const priced = (made: Priced | Unpriced): Priced => ('terms' in made ? made : assert.fail(made.reason));
const at = (context: PriceContext, change: Partial<View> = {}): Priced => priced(makePrice(knownDesk(change), SELL, context));
const componentsAt = (context: PriceContext, amount = '0.01'): readonly Component[] =>
  breakdownForGive(parse('BTC', amount), at(context).terms).components;
const codes = (components: readonly Component[]): string[] => components.map(({ code }) => code);

test('equal inputs give equal prices', () => {
  const known = knownDesk();
  assert.deepEqual(makePrice(known, SELL, { level: 1 }), makePrice(known, SELL, { level: 1 }));
  assert.deepEqual(codes(componentsAt({})), ['fee', 'network']);
});

test('a level changes the bounds and none of the terms', () => {
  const [visitor, known] = [at({}), at({ level: 2 })];
  assert.deepEqual(
    [visitor, known].map(({ bounds }) => format(bounds.max)),
    ['0.01110000', '0.22200000'],
  );
  assert.deepEqual(known.terms, visitor.terms);
});

test('wallets have no rail costs; a customer’s account may have its own sending cost', () => {
  const sending = { fuel: 'ETH', parts: 4n * 10n ** 14n };
  assert.deepEqual(codes(componentsAt({ wallet: 'get' })), ['fee']);
  const network = (context: PriceContext) => totalOf(componentsAt(context), 'cost');
  assert.deepEqual([network({}), network({ sending })], [667n, 1_334n]);
});

test('a rail that is on for orders may be off for other purposes', () => {
  const known = knownDesk();
  assert.equal(closedAt(makePrice(known, SELL, { purpose: 'orders' }), Date.now()), undefined);
  assert.equal(closedAt(makePrice(known, SELL, { purpose: 'invoices' }), Date.now()), 'rail_off');
});

test('discounts are part of the terms and of each breakdown, and leave the minimum margin', () => {
  const discounts = [
    { kind: 'loyalty' as const, percent: percent('10') },
    { kind: 'coupon' as const, worth: parse('USDT', '0.45') },
  ];
  // Fee: 0.00005000. Discounts: 0.000005 and a tenth of the fee; a larger coupon is limited to half of the fee.
  const off = (lines: typeof discounts) => componentsAt({ discounts: lines }).filter(({ kind }) => kind === 'discount');
  assert.deepEqual(
    off(discounts).map(({ code, amount }) => [code, amount]),
    [
      ['coupon', 500n],
      ['loyalty', 500n],
    ],
  );
  const rewarded = componentsAt({ discounts: [{ kind: 'coupon', percent: percent('100') }], rewards: percent('98') });
  // A minimum margin of 0.1 %, 0.00001000, is 0.00050000 before rewards of 98 %: more than the fee.
  assert.equal(totalOf(rewarded, 'discount'), 0n);
  const much = [{ kind: 'coupon' as const, worth: parse('USDT', '90000') }, ...discounts.slice(0, 1)];
  assert.deepEqual(
    off(much).map(({ amount }) => amount),
    [2_000n, 500n],
  );
});

test('the reason for a closed direction depends on the given time only', () => {
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
const discounts: fc.Arbitrary<RequestedDiscount[]> = fc.array(
  fc.oneof(
    sum.map(({ parts }) => ({ kind: 'coupon' as const, worth: money('USDT', parts * 1_000n) })),
    fc.integer({ min: 1, max: 90 }).map((n) => ({ kind: 'loyalty' as const, percent: percent(String(n)) })),
  ),
  { maxLength: 4 },
);

test('with any components a quote adds up: (give − lines) × shown rate = get', () => {
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
