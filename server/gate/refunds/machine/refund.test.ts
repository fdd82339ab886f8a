// Every order of events of a refund with up to three claims: the tables permit each state that the sums lead to.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PayoutBody } from '../../../payments/index.ts';
import { flaws } from '../../../platform/index.ts';
import { CLAIM_MACHINE } from './claim-machine.ts';
import { REFUND_MACHINE, type RefundEvent } from './refund-machine.ts';
import { type Claim, type Refund, afterPayout, isWaiting, movedBy, plus, returnedToStore, waitingSum } from './refund.ts';

const NOW = new Date(0);
const STORE = { id: 's', businessId: 'b', holderId: 'h' };

const REFUND: Refund = {
  ...{ id: 'r', number: 'KR', store: STORE, invoiceId: undefined, state: 'open', version: 1, currency: 'USD', digits: 2 },
  ...{ amount: 30n, taken: { unit: 'USDT', parts: 30n }, rests: [{ unit: 'USDT', parts: 30n }], back: [], ended: undefined },
  ...{ maker: { kind: 'member', id: 'h', isProposed: false }, email: undefined, note: undefined, locale: 'en' },
  ...{ createdAt: NOW, updatedAt: NOW, expiresAt: NOW },
};

interface World {
  readonly refund: Refund;
  readonly claims: readonly Claim[];
}

/** Returns a claim of 10 of a refund: sent in its own unit, or converted at 1:1 into another unit. */
const claimOf = (id: string, state: Claim['state'], unit: 'USDT' | 'BTC', from: string): Claim => ({
  ...{ id, refundId: 'r', store: STORE, state, from: { unit: from, parts: 10n }, fee: 2n, price: undefined },
  ...{ currency: unit, unit, parts: 8n, to: {}, key: '', isBooked: state === 'paying', usd: 10n, cap: undefined },
  ...{ isCounted: false, people: 0, approved: 0, decidedBy: undefined, reason: undefined, claimedAt: NOW, statusAt: NOW },
  ...{ txid: undefined, confirmations: undefined, needed: undefined, payout: undefined },
});

/** Returns all worlds to which one event leads. */
function nextWorlds({ refund, claims }: World): World[] {
  const found: World[] = [];
  const move = (changed: Refund, event: RefundEvent, all: readonly Claim[]): void =>
    void found.push({ refund: movedBy(changed, event, all), claims: all });
  const replaced = (one: Claim): Claim[] => claims.map((each) => (each.id === one.id ? one : each));
  for (const rest of claims.length < 3 ? refund.rests : [])
    for (const state of ['confirming', 'approving', 'paying'] as const)
      for (const unit of ['USDT', 'BTC'] as const) {
        const claim = {
          ...claimOf(`c${claims.length}`, state, unit, rest.unit),
          from: { unit: rest.unit, parts: rest.parts < 10n ? rest.parts : 10n },
        };
        const less = { ...refund, rests: plus(refund.rests, { unit: rest.unit, parts: -claim.from.parts }) };
        move(less, 'claim', [...claims, claim]);
        // A refund claims what goes back to a payment when it is made.
        if (claims.length === 0 && refund.version === 1) {
          move(less, 'claim', [{ ...claim, source: { paymentId: 'p', reserve: 0n } }]);
          move({ ...less, rests: [] }, 'claim', [{ ...claim, from: rest, source: { paymentId: 'p', reserve: 0n } }]);
        }
      }
  for (const claim of claims) {
    const back = claim.source
      ? returnedToStore(refund, [waitingSum(claim)])
      : { ...refund, rests: [waitingSum(claim)].reduce(plus, refund.rests) };
    if (claim.state === 'confirming') {
      for (const state of ['paying', 'approving'] as const)
        move(refund, 'confirm', replaced({ ...claim, state, isBooked: state === 'paying' }));
      move(back, 'refuse', replaced({ ...claim, state: 'refused' }));
    }
    if (claim.state === 'approving') {
      move(refund, 'approve', replaced({ ...claim, state: 'paying', isBooked: true }));
      move(back, 'refuse', replaced({ ...claim, state: 'refused' }));
    }
    for (const event of ['kept', 'refused', 'absent', 'final', 'returned', 'accepted'] as const) {
      const outcome = afterPayout(claim, { event } as PayoutBody);
      if (!outcome) continue;
      if (claim.source && outcome.event === 'fail') {
        assert.deepEqual(outcome.rests, [], 'nobody can claim it by the link');
        move(returnedToStore(refund, [claim.from]), 'fail', replaced(outcome.claim));
        continue;
      }
      const rests = outcome.rests.reduce(plus, refund.rests);
      move({ ...refund, rests, ...(outcome.event === 'fail' && { ended: undefined }) }, outcome.event, replaced(outcome.claim));
    }
  }
  if (refund.rests.length > 0)
    for (const [event, ended] of [
      ['time_over', 'expired'],
      ['cancel', 'cancelled'],
    ] as const)
      move(
        {
          ...refund,
          rests: [],
          back: refund.rests.reduce(plus, refund.back),
          ended: ended === 'cancelled' ? ended : (refund.ended ?? ended),
        },
        event,
        claims,
      );
  return found;
}

const keyOf = ({ refund, claims }: World): string =>
  JSON.stringify(
    [
      refund.state,
      refund.rests,
      refund.ended,
      claims.map(({ state, unit, from, isBooked, source }) => [state, unit, from, isBooked, source !== undefined]),
    ],
    (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value),
  );

test('the tables of refunds and claims have no flaws', () => {
  assert.deepEqual(flaws(REFUND_MACHINE as never), []);
  assert.deepEqual(flaws(CLAIM_MACHINE as never), []);
});

test('every order of events leads to a state that the table permits, and each state is reached', () => {
  const seen = new Set<string>();
  const states = new Set<string>();
  let front: World[] = [{ refund: REFUND, claims: [] }];
  while (front.length > 0) {
    const next: World[] = [];
    for (const world of front) {
      const key = keyOf(world);
      if (seen.has(key)) continue;
      seen.add(key);
      states.add(world.refund.state);
      check(world);
      next.push(...nextWorlds(world));
    }
    front = next;
  }
  assert.deepEqual([...states].sort(), Object.keys(REFUND_MACHINE.states).sort());
  assert.ok(seen.size > 1_000, `${seen.size} worlds`);
});

/** Nothing is left with a refund that has ended, and no sum is negative. */
function check({ refund, claims }: World): void {
  for (const { parts } of refund.rests) assert.ok(parts > 0n);
  const isActive = claims.some((claim) => isWaiting(claim) || claim.state === 'paying');
  if (REFUND_MACHINE.rests.has(refund.state as never))
    assert.ok(!isActive && refund.rests.length === 0, keyOf({ refund, claims }));
  else assert.ok(isActive || refund.rests.length > 0);
}
