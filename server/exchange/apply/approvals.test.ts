import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Out } from '../../moneyout/index.ts';
import type { AutoLimits } from '../machine/auto-limits.ts';
import { approvalFor, peopleForSum } from './approvals.ts';

const LIMITS: AutoLimits = {
  order: 300_000n,
  customerDay: 1_000_000n,
  deskHour: 1_200_000n,
  deskDay: 5_000_000n,
  floatPercent: 30,
  twoPeople: 2_000_000n,
};
const NOTHING: Out = { customerDay: 0n, deskHour: 0n, deskDay: 0n, currencyHour: 0n };

interface LimitCase {
  readonly usd?: bigint;
  readonly out?: Partial<Out>;
  readonly share?: { readonly parts: bigint; readonly float: bigint };
}

/** Each limit: exactly at it, one unit beside it, and the number of approvals then. */
const BOUNDS: readonly {
  readonly bound: string;
  readonly at: LimitCase;
  readonly beside: LimitCase;
  readonly people: readonly [0 | 1, 1 | 2];
}[] = [
  { bound: 'one order', at: { usd: 300_000n }, beside: { usd: 300_001n }, people: [0, 1] },
  { bound: 'one order, two people', at: { usd: 2_000_000n }, beside: { usd: 2_000_001n }, people: [1, 2] },
  {
    bound: 'a customer’s day',
    at: { out: { customerDay: 900_000n } },
    beside: { out: { customerDay: 900_001n } },
    people: [0, 1],
  },
  { bound: 'the desk’s hour', at: { out: { deskHour: 1_100_000n } }, beside: { out: { deskHour: 1_100_001n } }, people: [0, 1] },
  { bound: 'the desk’s day', at: { out: { deskDay: 4_900_000n } }, beside: { out: { deskDay: 4_900_001n } }, people: [0, 1] },
  {
    bound: 'a share of the float, nothing gone yet',
    at: { share: { parts: 3_000n, float: 10_000n } },
    beside: { share: { parts: 3_001n, float: 10_000n } },
    people: [0, 1],
  },
  {
    bound: 'a share of the float, with what is gone in the hour',
    at: { out: { currencyHour: 1_500n }, share: { parts: 1_500n, float: 8_500n } },
    beside: { out: { currencyHour: 1_500n }, share: { parts: 1_501n, float: 8_500n } },
    people: [0, 1],
  },
];

for (const { bound, at, beside, people } of BOUNDS)
  test(`${bound}: at the limit, and one unit beside it`, () => {
    const requested = ({ usd = 100_000n, out = {}, share }: LimitCase): number =>
      approvalFor(usd, { ...NOTHING, ...out }, LIMITS, share).people;
    assert.deepEqual([requested(at), requested(beside)], people);
  });

test('approvals by the sum alone, as the review announces: up to 3 000 USD none, above it one, above 20 000 USD two', () => {
  const sums = [300_000n, 300_001n, 2_000_000n, 2_000_001n];
  assert.deepEqual(
    sums.map((usd) => peopleForSum(usd, LIMITS)),
    [0, 1, 1, 2],
  );
});
