// Tests amounts that a provider takes back, returns and retains of a payment: by its own reports, and by people's decisions.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ObservedPayment } from '../../rails/rail.ts';
import { depthFor } from '../rails/finality.ts';
import { type Change, type Payin, feeMore, firstSight, check, poll, payinBody, takenByPeople, withFee } from '../payins/payin.ts';
import { START, at, depth, fresh, observedPayment, termsAt } from '../payins/payin.testing.ts';
import { finalityOf } from '../rails/settings.ts';

describe('a payment that its provider takes back in part', () => {
  const terms = { ...termsAt(START), policy: finalityOf('paypal') };
  const status = (taken: bigint): ObservedPayment => ({
    ...observedPayment(1),
    status:
      taken === 0n
        ? observedPayment(1).status
        : { at: 'taken_back', reason: 'chargeback', ...(taken < 100n && { parts: taken }) },
  });
  const cases: readonly (readonly [string, readonly bigint[], string])[] = [
    ['a part, more, and the rest', [0n, 30n, 50n, 50n, 100n], 'final · reversed 30 · reversed 20 ·  · reversed'],
    ['a part that is given back', [0n, 30n, 10n, 0n], 'final · reversed 30 · final 20 again · final 10 again'],
    ['all of it, then a part', [0n, 100n, 40n, 0n], 'final · reversed · final 60 again · final 40 again'],
    ['a part before the first poll: the payment is ours first, then the part is not', [30n, 30n], 'final · reversed 30'],
    ['a part, all of it, and all is given back', [0n, 30n, 100n, 0n], 'final · reversed 30 · reversed · final again'],
  ];
  for (const [what, polls, wanted] of cases) {
    it(what, () => {
      let payin: Payin | undefined;
      const reported = polls.map((taken) => {
        const seen = status(taken);
        const first = { ...fresh, usd: 100n };
        const change = check(
          payin ? poll(payin, { sighting: seen, polledAt: null }, terms) : firstSight(first, seen, terms),
          depthFor(terms.policy, 100n),
          START,
        );
        payin = change.payin;
        if (!change.event) return '';
        const { part, isBack } = payinBody(change, change.event);
        return [change.event, part ?? '', isBack ? 'again' : ''].filter(Boolean).join(' ');
      });
      assert.equal(reported.join(' · '), wanted);
    });
  }
});

describe('amounts that a provider has taken back, and those that people decided', () => {
  const terms = { ...termsAt(START), policy: finalityOf('paypal') };
  const status = (taken: bigint): ObservedPayment => ({
    ...observedPayment(1),
    status:
      taken === 0n
        ? observedPayment(1).status
        : { at: 'taken_back', reason: 'chargeback', ...(taken < 100n && { parts: taken }) },
  });

  it('add up to what the rail shows, whatever is taken back and returned', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(0n, 1n, 30n, 60n, 99n, 100n), { minLength: 1, maxLength: 12 }), (polls) => {
        let payin = check(firstSight({ ...fresh, usd: 1n }, status(0n), terms), depthFor(terms.policy, 1n), START).payin;
        let ours = 100n;
        for (const taken of polls) {
          const change = check(
            poll(payin, { sighting: status(taken), polledAt: null }, terms),
            depthFor(terms.policy, 1n),
            START,
          );
          payin = change.payin;
          const { part } = change;
          if (change.event === 'final') ours += part ?? 100n;
          // All of it is what has not been taken before.
          if (change.event === 'reversed') ours -= part ?? ours;
          assert.equal(ours, 100n - taken, `${taken} of ${polls.join()}`);
          assert.equal(payin.status, taken === 100n ? 'reversed' : 'final');
        }
      }),
    );
  });

  it('people take back a part, more of it, and all', () => {
    const final = check(firstSight({ ...fresh, usd: 1n }, status(0n), terms), depthFor(terms.policy, 1n), START).payin;
    const first = takenByPeople(final, 30n);
    assert.deepEqual(
      [first.event, first.part, first.payin.taken, first.payin.status, first.payin.isDecided],
      ['reversed', 30n, 30n, 'final', true],
    );
    const more = takenByPeople(first.payin, 69n);
    assert.deepEqual([more.part, more.payin.taken, more.payin.status], [69n, 99n, 'final']);
    for (const rest of [70n, 71n, undefined]) {
      const { event, part, reason, payin } = takenByPeople(first.payin, rest);
      assert.deepEqual([event, part, reason], ['reversed', undefined, 'chargeback'], 'all that is there');
      assert.deepEqual([payin.status, payin.taken, payin.isDecided, payin.isFollowed], ['reversed', 0n, true, false]);
    }
  });

  it('a payment that was not final is gone', () => {
    const waits = firstSight({ ...fresh, usd: 1n }, observedPayment(0), termsAt(START)).payin;
    const { event, payin } = takenByPeople(waits);
    assert.deepEqual([event, payin.status, payin.taken, payin.isDecided], ['dropped', 'dropped', 0n, true]);
    const change = poll(waits, { sighting: status(100n), polledAt: null }, terms);
    assert.deepEqual([change.event, change.reason, change.payin.status], ['dropped', 'chargeback', 'dropped']);
    const again = poll(change.payin, { sighting: status(100n), polledAt: null }, terms);
    assert.deepEqual([again.event, again.payin.status], [undefined, 'dropped'], 'told once');
    const known = firstSight({ ...fresh, usd: 1n }, status(100n), terms);
    assert.deepEqual([known.event, known.payin.status, known.payin.isFollowed], [undefined, 'dropped', false]);
  });
});

describe('a provider’s fee of a payment', () => {
  const stored = (fee: bigint | undefined): ObservedPayment => ({ ...observedPayment(2), ...(fee !== undefined && { fee }) });
  const first = (fee?: bigint): Change =>
    withFee(check(firstSight({ ...fresh, usd: 1n }, stored(fee), termsAt(START)), depth, START));
  const later = (before: Payin, fee?: bigint): Change =>
    withFee(poll(before, { sighting: stored(fee), polledAt: null }, termsAt(at(1))));

  it('counts once the payment is ours, and then by its changes', () => {
    assert.deepEqual([first().payin.fee, first(7n).payin.fee, feeMore(first(7n))], [0n, 7n, 7n]);
    const waits = withFee(
      check(firstSight({ ...fresh, usd: 1n }, { ...observedPayment(0), fee: 7n }, termsAt(START)), depth, START),
    );
    assert.deepEqual([waits.payin.fee, feeMore(waits)], [0n, 0n], 'it is not ours yet');
    const { payin } = first(7n);
    assert.deepEqual([feeMore(later(payin, 7n)), feeMore(later(payin, 9n)), feeMore(later(payin, 4n))], [0n, 2n, -3n]);
    assert.equal(later(payin).payin.fee, 7n, 'values no longer reported are unchanged');
    assert.equal(payinBody(first(7n), 'final').retained, '7');
    assert.equal(payinBody(first(), 'final').retained, undefined);
  });

  it('the sender stays as it was first reported', () => {
    const source = { fields: { account: 'a' }, key: 'a' };
    const one = first().payin;
    assert.equal(one.source, null);
    const reported = poll(one, { sighting: { ...stored(0n), source }, polledAt: null }, termsAt(at(1))).payin;
    assert.deepEqual(reported.source, source);
    const other = poll(
      reported,
      { sighting: { ...stored(0n), source: { ...source, key: 'b' } }, polledAt: null },
      termsAt(at(2)),
    );
    assert.deepEqual([other.payin.source, payinBody(other, 'final').source], [source, source]);
  });
});
