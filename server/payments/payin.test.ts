import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Sighting } from '../rails/rail.ts';
import { depthFor } from './finality.ts';
import { type Change, type LookTerms, type Payin, firstSight, isChanged, judge, look, payinBody } from './payin.ts';
import { finalityOf } from './settings.ts';

const policy = finalityOf('bitcoin');
const START = new Date('2026-11-20T12:00:00Z');
const at = (minutes: number): Date => new Date(START.getTime() + minutes * 60_000);
const termsAt = (now: Date): LookTerms => ({
  now,
  policy,
  droppedGraceMs: 60_000,
  reversedGraceMs: 5_000,
  giveUpMs: 14 * 86_400_000,
});

const sighting = (confirmations: number, given: { feeOk?: boolean; replaceable?: boolean } = {}): Sighting => ({
  key: 't:0',
  currency: 'BTC',
  to: 'place',
  parts: 100n,
  txid: 't',
  from: ['someone'],
  standing:
    confirmations === 0
      ? { at: 'mempool', replaceable: given.replaceable ?? false, feeOk: given.feeOk ?? true }
      : { at: 'block', height: 10, hash: 'h', minedAt: START, confirmations, finalised: false },
});

const fresh = {
  id: 'p',
  number: 1,
  owner: { kind: 'order', id: 'o' },
  customer: 'c',
  unit: 'BTC',
  place: 'hot',
  foreign: false,
} as const;
const depth = depthFor(policy, 90_000n);

/** What a look at `minutes` sees and tells: confirmations, or nothing. */
function after(before: Payin | undefined, confirmations: number | undefined, minutes: number): Change | undefined {
  const now = at(minutes);
  const seen = confirmations === undefined ? undefined : sighting(confirmations);
  if (!before) return seen && judge(firstSight({ ...fresh, usd: 90_000n }, seen, termsAt(now)), depth, now);
  return judge(look(before, seen, termsAt(now)), depth, now);
}

function conversation(looks: readonly (readonly [confirmations: number | undefined, minutes: number])[]): {
  told: string[];
  payin: Payin | undefined;
} {
  let payin: Payin | undefined;
  const told: string[] = [];
  for (const [confirmations, minutes] of looks) {
    const change = after(payin, confirmations, minutes);
    if (change?.event) told.push(change.event);
    payin = change?.payin ?? payin;
  }
  return { told, payin };
}

describe('a payment of which its provider takes back a part', () => {
  const terms = { ...termsAt(START), policy: finalityOf('paypal') };
  const standing = (taken: bigint): Sighting => ({
    ...sighting(1),
    standing:
      taken === 0n ? sighting(1).standing : { at: 'taken_back', reason: 'chargeback', ...(taken < 100n && { parts: taken }) },
  });
  const cases: readonly (readonly [string, readonly bigint[], string])[] = [
    ['a part, more, and the rest', [0n, 30n, 50n, 50n, 100n], 'final · reversed 30 · reversed 20 ·  · reversed'],
    ['a part that is given back', [0n, 30n, 10n, 0n], 'final · reversed 30 · final 20 again · final 10 again'],
    ['all of it, then a part', [0n, 100n, 40n, 0n], 'final · reversed · final 60 again · final 40 again'],
    ['a part before it was ever looked at: ours first, then what isn’t', [30n, 30n], 'final · reversed 30'],
    ['a part, all of it, and all is given back', [0n, 30n, 100n, 0n], 'final · reversed 30 · reversed · final again'],
  ];
  for (const [what, looks, wanted] of cases) {
    it(what, () => {
      let payin: Payin | undefined;
      const told = looks.map((taken) => {
        const seen = standing(taken);
        const first = { ...fresh, usd: 100n };
        const change = judge(
          payin ? look(payin, seen, terms) : firstSight(first, seen, terms),
          depthFor(terms.policy, 100n),
          START,
        );
        payin = change.payin;
        if (!change.event) return '';
        const { part, again } = payinBody(change, change.event);
        return [change.event, part ?? '', again ? 'again' : ''].filter(Boolean).join(' ');
      });
      assert.equal(told.join(' · '), wanted);
    });
  }
});

describe('a payment, look by look', () => {
  const cases: readonly (readonly [string, Parameters<typeof conversation>[0], string])[] = [
    ['seen, confirmed, final', [[0, 0], [1, 10], [2, 20], [3, 30]], 'seen progress final'],
    ['final at first sight', [[5, 0]], 'final'],
    ['out of sight within the grace', [[0, 0], [undefined, 1], [0, 1.5], [2, 9]], 'seen final'],
    ['out of sight for longer', [[0, 0], [undefined, 1], [undefined, 2]], 'seen dropped'],
    ['confirmed once, reorged away before it was final', [[1, 0], [0, 5], [2, 20]], 'seen progress final'],
    ['dropped and back', [[0, 0], [undefined, 1], [undefined, 2], [0, 3], [2, 9]], 'seen dropped seen final'],
    ['dropped and mined all the same', [[0, 0], [undefined, 1], [undefined, 2], [2, 9]], 'seen dropped final'],
    ['final, back in the mempool', [[2, 0], [0, 1], [0, 2]], 'final reversed'],
    ['final, gone, mined again', [[2, 0], [undefined, 1], [undefined, 2], [1, 3], [2, 4]], 'final reversed seen final'],
    ['final, gone for one look', [[2, 0], [undefined, 1], [3, 1.01]], 'final'],
    ['given up after 14 days, mined on day 20', [[0, 0], [0, 14 * 1440], [0, 14 * 1440 + 1], [2, 20 * 1440]], 'seen dropped final'],
  ]; // prettier-ignore
  for (const [name, looks, expected] of cases) it(name, () => assert.equal(conversation(looks).told.join(' '), expected));

  it('a comeback is newly seen and says so; its body carries what the order needs', () => {
    const { payin } = conversation([
      [0, 0],
      [undefined, 1],
      [undefined, 2],
    ]);
    const change = after(payin, 2, 30);
    assert.ok(change);
    const body = payinBody(change, 'final');
    assert.equal(body.seenAt, at(30).toISOString());
    assert.equal(body.firstConfirmedAt, at(30).toISOString());
    assert.deepEqual([body.again, body.foreign, body.parts, body.confirmations, body.needed], [true, undefined, '100', 2, 2]);
  });

  it('signalling or underpaying is no good fee; a block makes it good', () => {
    for (const given of [{ feeOk: false }, { replaceable: true }]) {
      const seen = firstSight({ ...fresh, usd: 1n }, sighting(0, given), termsAt(START));
      assert.equal(seen.payin.feeOk, false);
      assert.equal(look(seen.payin, sighting(1), termsAt(at(9))).payin.feeOk, true);
    }
  });

  it('is followed for a hundred blocks after it was final', () => {
    const { payin } = conversation([[2, 0]]);
    assert.ok(payin?.followed);
    assert.ok(look(payin, sighting(101), termsAt(at(1))).payin.followed);
    assert.ok(!look(payin, sighting(102), termsAt(at(1))).payin.followed);
  });

  it('a look that changes nothing is no change', () => {
    const { payin } = conversation([[2, 0]]);
    assert.ok(payin);
    assert.ok(!isChanged(look(payin, sighting(2), termsAt(at(1)))));
    assert.ok(isChanged(look(payin, sighting(3), termsAt(at(1)))));
  });

  it('whatever is seen, credits and reversals alternate', () => {
    const may: Readonly<Record<string, readonly string[]>> = {
      start: ['seen', 'final'],
      seen: ['progress', 'final', 'dropped'],
      progress: ['progress', 'final', 'dropped'],
      final: ['reversed'],
      dropped: ['seen', 'final'],
      reversed: ['seen', 'final'],
    };
    const looks = fc.array(fc.tuple(fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }), fc.nat({ max: 30_000 })), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(looks, (given) => {
        let minutes = 0;
        const { told } = conversation(given.map(([confirmations, pause]) => [confirmations, (minutes += pause / 10)]));
        let last = 'start';
        for (const event of told) {
          assert.ok(may[last]?.includes(event), `${event} after ${last} in ${told.join()}`);
          last = event;
        }
        const finals = told.filter((event) => event === 'final').length;
        const reversed = told.filter((event) => event === 'reversed').length;
        assert.ok(finals - reversed === 0 || finals - reversed === 1);
      }),
      { numRuns: 2_000 },
    );
  });
});
