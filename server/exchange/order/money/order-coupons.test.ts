import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange, OrderView } from '../order.ts';
import { movedUses } from './order-coupons.ts';

const taken = { use: 'use', coupon: 'coupon', parts: 930_000n, isFunded: true };

function view(facts: object): OrderView {
  const coupons = [{ id: 'use', coupon: 'coupon', code: 'coupon', held: 2_000_000n, isFunded: true }];
  return { pinned: { coupons }, facts: { hasEndedCoupons: true, ...facts } } as unknown as OrderView;
}

test('a use spent before a buy-back stays spent after the next exchange', () => {
  const exchange = (coupons?: readonly (typeof taken)[]) => ({ coupons }) as unknown as Exchange;
  const boughtBack = view({ boughtBack: { exchange: exchange([taken]) } });
  assert.deepEqual(movedUses(boughtBack, view({ exchange: exchange(), couponsRetained: [taken] })), []);
  assert.deepEqual(
    movedUses(boughtBack, view({ exchange: exchange() })),
    [{ id: 'use', to: 'free', spent: 0n }],
    'or it is free',
  );
});
