// Rewards: the worked examples, and any discounts, shares and splits, over all components of a price.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  PROVISION,
  type PriceTerms,
  assetOf,
  breakdownForGive,
  convert,
  fraction,
  money,
  parse,
  parseRate,
  percent,
  rate,
  zero,
} from '@kurs/money';
import { friendShare, levels, maxPercent, rewardShare, secondPercent, shareOf, usualAffiliate } from '../referrals/index.ts';
import { MIN_PARTS, rewardsOf } from './reward-sums.ts';

const usdt = (sum: string): bigint => parse('USDT', sum).parts;
const usual = { second: 500n, max: 5_000n };

test('the worked examples: PayPal gets no friend’s discount, and of the bitcoin order the desk keeps 1.87', () => {
  const paypal = { ...usual, profit: usdt('15'), friend: 0n, margin: usdt('1'), share: 3_000n };
  assert.deepEqual(rewardsOf(paypal), { first: usdt('4.5'), second: usdt('0.75') });
  const bitcoin = { ...usual, profit: usdt('2.8744'), friend: usdt('0.3744'), margin: usdt('1'), share: 3_000n };
  assert.deepEqual(rewardsOf(bitcoin), { first: usdt('0.48792'), second: usdt('0.14372') });
  assert.equal(usdt('2.8744') - usdt('0.3744') - usdt('0.48792') - usdt('0.14372'), usdt('1.86836'));
});

test('all of it is at most half; the second level gives way first, and what is below 0.01 is none', () => {
  const share = { ...usual, margin: 0n, friend: 0n };
  assert.deepEqual(rewardsOf({ ...share, profit: usdt('10'), share: 4_800n }), { first: usdt('4.8'), second: usdt('0.2') });
  assert.deepEqual(rewardsOf({ ...share, profit: usdt('10'), share: 5_000n }), { first: usdt('5'), second: 0n });
  assert.deepEqual(rewardsOf({ ...share, profit: usdt('1.2'), share: 3_000n, margin: usdt('1') }), {
    first: usdt('0.2'),
    second: 0n,
  });
  assert.deepEqual(rewardsOf({ ...share, profit: usdt('0.19'), share: 3_000n }), { first: usdt('0.057'), second: 0n });
  assert.deepEqual(rewardsOf({ ...share, profit: 0n, share: 3_000n, margin: usdt('1') }), { first: 0n, second: 0n });
});

/** Form in which a discount is requested, if at all. */
const maybe = (kind: string) =>
  fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }).map((request) => ({ kind, request }));
/** Steps of the ladder as an order is placed, and as it is completed. */
const steps = fc.integer({ min: 0, max: 3 });

test('whatever is asked for: the desk keeps its least beside the provision, and pays no part of the friend’s discount', () => {
  const grid = fc.record({
    give: fc.integer({ min: 50_000, max: 50_000_000 }),
    spread: fc.integer({ min: 10, max: 500 }),
    discounts: fc.tuple(maybe('credit'), maybe('late'), maybe('coupon'), maybe('loyalty')),
    split: fc.constantFrom(0, 10, 20, 30, 40, 50, 100),
    maxSplit: fc.constantFrom(undefined, 0, 100),
    share: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
    isReversible: fc.boolean(),
    hasSecond: fc.boolean(),
    levelThen: steps,
    levelNow: steps,
    mid: fc.integer({ min: 1, max: 100_000 }),
  });
  let rewarded = 0;
  fc.assert(
    fc.property(
      grid,
      ({ give, spread, discounts, split, maxSplit: usualMaxSplit, share, isReversible, hasSecond, levelThen, levelNow, mid }) => {
        const then = { ...usualAffiliate('a'), share, maxSplit: usualMaxSplit, level: levelThen };
        const friend = isReversible ? fraction(0n, 1n) : friendShare(then, split);
        const unit = 'BTC';
        const minMargin = { percent: percent('0.1'), min: money(unit, 125n), afterRewards: less(rewardShare(then)) };
        const terms: PriceTerms = {
          ...{ giveUnit: unit, getUnit: 'USDT', giveDigits: 8, getDigits: 2, rate: parseRate('BTC', 'USDT', String(mid)) },
          spread: [{ from: zero(unit), percent: fraction(BigInt(spread), 10_000n) }],
          minFee: money(unit, 250n),
          costs: [],
          discounts: [
            ...discounts.flatMap(({ kind, request }) =>
              request === undefined ? [] : [{ code: kind, percent: fraction(BigInt(request), 100n) }],
            ),
            ...(friend.numerator > 0n ? [{ code: 'friend', of: 'rest' as const, percent: friend }] : []),
          ],
          minMargin: { ...minMargin, ...(isReversible && { provision: PROVISION }) },
        };
        const { components } = breakdownForGive(money(unit, BigInt(give)), terms);
        const of = (code: string): bigint => components.find((one) => one.code === code)?.amount ?? 0n;
        const discountsOf = components.reduce((sum, { kind, amount }) => (kind === 'discount' ? sum + amount : sum), 0n);
        const provision = isReversible ? (BigInt(give) + 99n) / 100n : 0n;
        const retained = of('fee') - (discountsOf - of('friend')) - provision;
        const inRewards = (parts: bigint, rounding: 'up' | 'down'): bigint =>
          convert(
            money(unit, parts < 0n ? 0n : parts),
            assetOf(unit),
            rate('BTC', 'USDT', fraction(BigInt(mid), 1n)),
            'USDT',
            rounding,
          ).parts;
        const min = (BigInt(give) + 999n) / 1_000n;
        const margin = min > 125n ? min : 125n;
        const own = BigInt(shareOf({ ...then, level: levelNow })) * 100n;
        const promised = (friend.numerator * 10_000n) / friend.denominator;
        const profit = inRewards(retained, 'down');
        const friendWorth = inRewards(of('friend'), 'up');
        const { first, second } = rewardsOf({
          ...{ profit, friend: friendWorth, margin: inRewards(margin, 'up'), share: own > promised ? own : promised },
          ...{ second: hasSecond ? BigInt(secondPercent()) * 100n : 0n, max: BigInt(maxPercent()) * 100n },
        });
        if (first > 0n) rewarded += 1;
        for (const one of [first, second]) assert.ok(one === 0n || one >= MIN_PARTS);
        // Rounded sums of the friend's discount and the pool differ by a part at the most.
        const rest = profit - friendWorth - first - second;
        if (first + second > 0n) assert.ok(rest >= inRewards(margin, 'up'), `${rest} is below the least`);
        if (first + second > 0n) assert.ok((friendWorth + first + second) * 2n <= profit, 'more than half');
        const pool = (profit * (own > promised ? own : promised)) / 10_000n;
        assert.ok(
          of('friend') === 0n || friendWorth <= pool + inRewards(2n, 'up') + 1n,
          `the desk pays ${friendWorth - pool} of the friend’s`,
        );
        assert.ok(of('friend') === 0n || isReversible === false);
      },
    ),
    { numRuns: 1_500 },
  );
  assert.ok(rewarded > 300, String(rewarded));
  assert.equal(levels().length, 4);
});

const less = ({ numerator, denominator }: { numerator: bigint; denominator: bigint }) =>
  fraction(denominator - numerator, denominator);
