// A price is made once for all customers alike, and never used for a different context.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { REWARD_UNIT, fraction, money, parse } from '@kurs/money';
import { USUAL_PURPOSE } from '../known/purpose.ts';
import { directionOf } from '../known/view.ts';
import { type PricedWorld, openPricedWorld } from '../scenarios/world.testing.ts';
import type { PriceContext } from './context.ts';
import { makePrice } from './make-price.ts';
import { knownNow, price } from './price-now.ts';

let world: PricedWorld;
before(async () => {
  world = await openPricedWorld();
  await world.rates();
});
after(() => world.close());

const [tenth, fifth] = [fraction(1n, 10n), fraction(1n, 5n)];
const [one, two] = [parse(REWARD_UNIT, '1'), parse(REWARD_UNIT, '2')];

/** Each context differs from the one before it in one field that prices depend on. */
const CONTEXTS: readonly PriceContext[] = [
  {},
  { level: 0 },
  { level: 2 },
  { level: 2, purpose: USUAL_PURPOSE },
  { level: 2, purpose: 'what no rail is switched on for' },
  { wallet: 'give' },
  { wallet: 'get' },
  { wallet: 'both' },
  { wallet: 'both', rewards: tenth },
  { wallet: 'both', rewards: fifth },
  { rewards: fifth },
  { discounts: [] },
  { discounts: [{ kind: 'loyalty', percent: tenth }] },
  { discounts: [{ kind: 'loyalty', percent: fifth }] },
  { discounts: [{ kind: 'coupon', percent: fifth }] },
  { discounts: [{ kind: 'coupon', percent: fifth, worth: one }] },
  { discounts: [{ kind: 'coupon', percent: fifth, worth: two }] },
  { discounts: [{ kind: 'coupon', worth: two }] },
  {
    discounts: [
      { kind: 'coupon', worth: two },
      { kind: 'loyalty', percent: fifth },
    ],
  },
  { discounts: [{ kind: 'coupon', worth: two }], level: 1 },
  { sending: { fuel: 'ETH', parts: 1_000_000_000_000_000n } },
  { sending: { fuel: 'ETH', parts: 9_000_000_000_000_000n } },
];

test('a cached price equals a new one, for any order of requests', () => {
  const direction = directionOf('BTC', 'USDT_ERC20');
  const inAnyOrder = [...CONTEXTS, ...CONTEXTS.toReversed()];
  for (const context of inAnyOrder) {
    assert.deepEqual(price(direction, context), makePrice(knownNow(), direction, context));
  }
  const all = CONTEXTS.map((context) => price(direction, context));
  const apart = new Set(
    all.map((made) => JSON.stringify(made, (_, part: unknown) => (typeof part === 'bigint' ? `${part}` : part))),
  );
  assert.ok(apart.size > CONTEXTS.length - 6, 'these contexts have prices that differ');
});

test('makes equal prices once, and drops them when their inputs change', async () => {
  const direction = directionOf('BTC', 'USDT_ERC20');
  const context = (): PriceContext => ({ level: 1, discounts: [{ kind: 'coupon', percent: fifth, worth: one }] });
  const first = price(direction, context());
  assert.equal(price(direction, context()), first);
  for (let parts = 1n; parts < 500n; parts += 1n)
    price(direction, { discounts: [{ kind: 'credit', worth: money(REWARD_UNIT, parts) }] });
  assert.notEqual(price(direction, context()), first, 'few are kept at once');
  const again = price(direction, context());
  await world.rates();
  assert.notEqual(price(direction, context()), again, 'rates are new');
});
