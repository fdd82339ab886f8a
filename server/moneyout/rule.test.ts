import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OutLimits, peopleFor } from './rule.ts';

const LIMITS: OutLimits = { action: 50_000n, holderDay: 200_000n, deskDay: 1_000_000n, twoPeople: 500_000n };
const NOTHING = { customerDay: 0n, deskDay: 0n };

/** For each limit: a sum at it, one a cent beyond, and the number of operators then. */
const BOUNDS: readonly {
  readonly bound: string;
  readonly at: readonly [usd: bigint, out?: Partial<typeof NOTHING>];
  readonly beside: readonly [usd: bigint, out?: Partial<typeof NOTHING>];
  readonly people: readonly [0 | 1, 1 | 2];
}[] = [
  { bound: 'one action', at: [50_000n], beside: [50_001n], people: [0, 1] },
  { bound: 'one action, two people', at: [500_000n], beside: [500_001n], people: [1, 2] },
  {
    bound: 'a holder’s day',
    at: [50_000n, { customerDay: 150_000n }],
    beside: [50_000n, { customerDay: 150_001n }],
    people: [0, 1],
  },
  { bound: 'the desk’s day', at: [50_000n, { deskDay: 950_000n }], beside: [50_000n, { deskDay: 950_001n }], people: [0, 1] },
];

for (const { bound, at, beside, people } of BOUNDS)
  test(`${bound}: at the bound, and one cent beside it`, () => {
    const requested = ([usd, out = {}]: (typeof BOUNDS)[number]['at']): number => peopleFor(usd, { ...NOTHING, ...out }, LIMITS);
    assert.deepEqual([requested(at), requested(beside)], people);
  });
