import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Evidence, ObservedPayment } from '../../rails/rail.ts';
import {
  type Change,
  type Payin,
  type PollResult,
  becameDeep,
  firstSight,
  isChanged,
  isMissing,
  check,
  poll,
  payinBody,
  proves,
} from './payin.ts';
import { START, at, depth, fresh, observedPayment, termsAt } from './payin.testing.ts';

/** Poll result: confirmations, or nothing; `lost`, `spent`: nothing, and the proof that it is gone; or the complete result. */
type PollShorthand = number | 'nothing' | 'lost' | 'spent' | PollResult;

const PROOFS: Readonly<Record<'lost' | 'spent', Evidence>> = {
  lost: { kind: 'block', height: 10, hash: 'another', tip: 12 },
  spent: { kind: 'spent', input: 'coin:0', txid: 'another', height: 11, tip: 12 },
};

function reportedOf(shown: PollShorthand): PollResult {
  if (typeof shown === 'number') return { sighting: observedPayment(shown) };
  if (shown === 'nothing') return {};
  return typeof shown === 'string' ? { gone: PROOFS[shown] } : shown;
}

/** Returns a payment's change by a poll at `minutes`, if the last complete poll was at `polledAt`. */
function after(
  before: Payin | undefined,
  shown: PollShorthand,
  minutes: number,
  polledAt: Date | null = null,
): Change | undefined {
  const now = at(minutes);
  const reported = reportedOf(shown);
  if (!before) {
    const first = { ...fresh, usd: 90_000n, seenAfter: polledAt };
    return reported.sighting && check(firstSight(first, reported.sighting, termsAt(now)), depth, now);
  }
  return check(poll(before, { ...reported, polledAt }, termsAt(now)), depth, now);
}

function conversation(polls: readonly (readonly [shown: PollShorthand, minutes: number])[]): {
  reported: string[];
  payin: Payin | undefined;
} {
  let payin: Payin | undefined;
  const reported: string[] = [];
  for (const [shown, minutes] of polls) {
    const change = after(payin, shown, minutes);
    if (change?.event) reported.push(change.event);
    payin = change?.payin ?? payin;
  }
  return { reported, payin };
}

describe('a payment, poll by poll', () => {
  // prettier-ignore
  const cases: readonly (readonly [string, Parameters<typeof conversation>[0], string])[] = [
    ['seen, confirmed, final', [[0, 0], [1, 10], [2, 20], [3, 30]], 'seen progress final'],
    ['final at first sight', [[5, 0]], 'final'],
    ['out of sight for a moment', [[0, 0], ['nothing', 1], [0, 1.5], [2, 9]], 'seen final'],
    ['out of sight for hours', [[0, 0], ['nothing', 1], ['nothing', 600], [2, 601]], 'seen final'],
    ['in a block, out of sight for hours', [[1, 0], ['nothing', 1], ['nothing', 600], [2, 601]], 'seen final'],
    ['final, out of sight for days', [[2, 0], ['nothing', 1], ['nothing', 5_000], [9, 5_001]], 'final'],
    ['in a block, said to wait', [[1, 0], [0, 5], [0, 600], [2, 601]], 'seen final'],
    ['final, said to wait', [[2, 0], [0, 1], [0, 600], [9, 601]], 'final'],
    ['its block is replaced before it was final, and it waits again',
      [[1, 0], [{ sighting: observedPayment(0), gone: PROOFS.lost }, 5], [2, 20]], 'seen progress final'],
    ['its block is replaced before it was final', [[1, 0], ['lost', 5], [2, 20]], 'seen dropped final'],
    ['what it spends is spent by another', [[0, 0], ['spent', 5]], 'seen dropped'],
    ['dropped and back', [[0, 0], ['spent', 1], [0, 3], [2, 9]], 'seen dropped seen final'],
    ['dropped, and said to wait while another has its place',
      [[0, 0], ['spent', 1], [{ sighting: observedPayment(0), gone: PROOFS.spent }, 3]], 'seen dropped'],
    ['dropped and mined all the same', [[0, 0], ['spent', 1], [2, 9]], 'seen dropped final'],
    ['final, its block replaced', [[2, 0], ['lost', 1], ['nothing', 2]], 'final reversed'],
    ['final, its block replaced, waiting again',
      [[2, 0], [{ sighting: observedPayment(0), gone: PROOFS.lost }, 1], [0, 2]], 'final reversed seen'],
    ['final, gone, mined again', [[2, 0], ['lost', 1], ['nothing', 2], [1, 3], [2, 4]], 'final reversed seen final'],
    ['given up after 14 days, mined on day 20', [[0, 0], [0, 14 * 1440], [0, 14 * 1440 + 1], [2, 20 * 1440]], 'seen dropped final'],
    ['never in a block, given up by its age though it is not shown', [[0, 0], ['nothing', 9], ['nothing', 14 * 1440]], 'seen dropped'],
    ['in a block once, never given up', [[1, 0], ['nothing', 9], ['nothing', 40 * 1440]], 'seen'],
  ];
  for (const [name, polls, expected] of cases) it(name, () => assert.equal(conversation(polls).reported.join(' '), expected));

  it('a payment that came back is newly seen and says so; its body carries what the order needs', () => {
    const { payin } = conversation([
      [0, 0],
      ['spent', 2],
    ]);
    const change = after(payin, 2, 30, at(29));
    assert.ok(change);
    const body = payinBody(change, 'final');
    assert.deepEqual(
      [body.seenAt, body.seenAfter, body.firstConfirmedAt],
      [29, 29, 29].map((minutes) => at(minutes).toISOString()),
    );
    assert.deepEqual([body.isBack, body.isForeign, body.parts, body.confirmations, body.needed], [true, undefined, '100', 2, 2]);
  });

  it('is deep once it is final and no longer exposed, and again after it was taken back and came back', () => {
    let payin: Payin | undefined;
    const polls: readonly PollShorthand[] = [0, 2, 5, 6, 7, 'lost', 0, 6];
    const reported = polls.map((shown, at) => {
      const change = after(payin, shown, at * 10);
      payin = change?.payin ?? payin;
      return change !== undefined && becameDeep(change);
    });
    assert.deepEqual(
      polls.filter((_, at) => reported[at]),
      [6, 6],
    );
    const maxAtOnce = after(undefined, 6, 0);
    assert.ok(maxAtOnce && becameDeep(maxAtOnce), 'final and deep at first sight');
  });

  it('a replaceable or underpaying transaction has no good fee; a block makes it good', () => {
    for (const given of [{ isFeeOk: false }, { isReplaceable: true }]) {
      const seen = firstSight({ ...fresh, usd: 1n }, observedPayment(0, given), termsAt(START));
      assert.equal(seen.payin.isFeeOk, false);
      assert.equal(after(seen.payin, 1, 9)?.payin.isFeeOk, true);
    }
  });

  it('is followed for a hundred blocks after it was final', () => {
    const { payin } = conversation([[2, 0]]);
    assert.ok(payin?.isFollowed);
    assert.ok(after(payin, 101, 1)?.payin.isFollowed);
    assert.ok(!after(payin, 102, 1)?.payin.isFollowed);
  });

  it('a poll that changes nothing is no change', () => {
    const { payin } = conversation([[2, 0]]);
    assert.ok(payin);
    assert.ok(!isChanged(poll(payin, { sighting: observedPayment(2), polledAt: null }, termsAt(at(1)))));
    assert.ok(isChanged(poll(payin, { sighting: observedPayment(3), polledAt: null }, termsAt(at(1)))));
  });

  it('credits and reversals alternate, whatever polls show', () => {
    const may: Readonly<Record<string, readonly string[]>> = {
      start: ['seen', 'final'],
      seen: ['progress', 'final', 'dropped'],
      progress: ['progress', 'final', 'dropped'],
      final: ['reversed'],
      dropped: ['seen', 'final'],
      reversed: ['seen', 'final'],
    };
    const shown = fc.oneof(
      fc.integer({ min: 0, max: 9 }),
      fc.constantFrom('nothing' as const, 'lost' as const, 'spent' as const),
    );
    const polls = fc.array(fc.tuple(shown, fc.nat({ max: 30_000 })), { maxLength: 30 });
    fc.assert(
      fc.property(polls, (given) => {
        let minutes = 0;
        const { reported } = conversation(given.map(([each, pause]) => [each, (minutes += pause / 10)]));
        let last = 'start';
        for (const event of reported) {
          assert.ok(may[last]?.includes(event), `${event} after ${last} in ${reported.join()}`);
          last = event;
        }
        const finals = reported.filter((event) => event === 'final').length;
        const reversed = reported.filter((event) => event === 'reversed').length;
        assert.ok(finals - reversed === 0 || finals - reversed === 1);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('why a payment is gone', () => {
  const [waiting, mined, final] = [0, 1, 2].map((shown) => conversation([[shown, 0]]).payin as Payin);
  const why = (before: Payin | undefined, shown: PollShorthand, minutes: number): (string | undefined)[] => {
    const change = after(before, shown, minutes);
    return [change?.event, change && payinBody(change, 'dropped').reason, change?.payin.status];
  };
  it('is published with the event', () => {
    assert.deepEqual(why(waiting, 'spent', 5), ['dropped', 'replaced', 'dropped']);
    assert.deepEqual(why(mined, 'lost', 5), ['dropped', 'reorg', 'dropped']);
    assert.deepEqual(why(final, 'lost', 5), ['reversed', 'reorg', 'reversed']);
    assert.deepEqual(why(waiting, 'nothing', 14 * 1440), ['dropped', 'given_up', 'dropped']);
    assert.deepEqual(why(waiting, 0, 14 * 1440), ['dropped', 'given_up', 'dropped']);
    assert.deepEqual(why(waiting, 'nothing', 14 * 1440 - 1), [undefined, undefined, 'seen']);
    assert.deepEqual(why(waiting, 1, 5), ['progress', undefined, 'seen']);
  });

  it('a reversed payment is polled until it is too old to come back', () => {
    const gone = after(final, 'lost', 5)?.payin;
    assert.equal(gone?.isFollowed, true);
    assert.equal(after(gone, 'nothing', 14 * 1440 - 1)?.payin.isFollowed, true);
    const over = after(gone, 'nothing', 14 * 1440)?.payin;
    assert.deepEqual(over, { ...gone, isFollowed: false });
    const dropped = after(waiting, 'spent', 5)?.payin;
    assert.deepEqual([dropped?.isFollowed, dropped?.isDeep], [false, true], 'a payment that never was ours is not');
    assert.deepEqual(after(dropped, 'nothing', 20 * 1440)?.payin, dropped);
  });

  it('a payment in another currency says so', () => {
    const change = after(undefined, 2, 0) as Change;
    assert.equal(payinBody(change, 'final').isForeign, undefined);
    assert.equal(payinBody({ ...change, payin: { ...change.payin, isForeign: true } }, 'final').isForeign, true);
  });
});

describe('a payment that is not shown', () => {
  it('alarms once, after ten minutes, and again only after it was shown', () => {
    let { payin } = conversation([[2, 0]]);
    const reported = (
      [
        [1, 'nothing'],
        [10, 'nothing'],
        [11, 'nothing'],
        [30, 'nothing'],
        [31, 3],
        [32, 'nothing'],
        [42, 'nothing'],
      ] as const
    )
      .filter(([minutes, shown]) => {
        const before = payin;
        payin = after(payin, shown, minutes)?.payin;
        return payin?.isMissingReported && !before?.isMissingReported;
      })
      .map(([minutes]) => minutes);
    assert.deepEqual(reported, [11, 42]);
  });

  it('is missing if it is not shown, or is shown waiting though it was in a block', () => {
    const { payin: waiting } = conversation([[0, 0]]);
    const { payin: mined } = conversation([[1, 0]]);
    const { payin: final } = conversation([[2, 0]]);
    const { payin: dropped } = conversation([
      [0, 0],
      ['spent', 1],
    ]);
    const requests = [waiting, mined, final, dropped].map((payin) =>
      [undefined, observedPayment(0), observedPayment(3)].map((shown) => payin && isMissing(payin, shown)),
    );
    assert.deepEqual(requests, [
      [true, false, false],
      [true, true, false],
      [true, true, false],
      [false, true, false],
    ]);
  });

  it('is gone only by evidence that is about it, from a chain no lower than any seen', () => {
    const { payin } = conversation([[1, 0]]);
    assert.ok(payin);
    const known = { ...payin, inputs: ['coin:0'] };
    const cases: readonly (readonly [Evidence, boolean])[] = [
      [PROOFS.lost, true],
      [{ ...PROOFS.lost, tip: 11 } as Evidence, false],
      [{ kind: 'block', height: 10, hash: 'h', tip: 12 }, false],
      [{ kind: 'block', height: 9, hash: 'another', tip: 12 }, false],
      [PROOFS.spent, true],
      [{ ...PROOFS.spent, tip: 11 } as Evidence, false],
      [{ kind: 'spent', input: 'coin:0', txid: 't', height: 11, tip: 12 }, false],
      [{ kind: 'spent', input: 'coin:1', txid: 'another', height: 11, tip: 12 }, false],
    ];
    for (const [by, proven] of cases) assert.equal(proves(by, known, 12), proven, JSON.stringify(by));
    assert.equal(proves(PROOFS.lost, { ...known, height: null, block: null }, 12), false, 'it was in no block');
  });
});

describe("a payment's time", () => {
  const minedAt = (minutes: number): ObservedPayment => ({
    ...observedPayment(1),
    status: { at: 'block', height: 10, hash: 'h', minedAt: at(minutes), confirmations: 1, isFinalised: false },
  });
  const cases: readonly (readonly [string, mined: number, polledAt: number | null, paid: number])[] = [
    ["the block's own, while nobody looked", 20, 5, 20],
    ['never later than our look', 90, 5, 60],
    ['never earlier than the last poll that did not show it', 2, 5, 5],
    ["the block's own where no look is known", 2, null, 2],
  ];
  for (const [what, mined, polledAt, paid] of cases) {
    it(`of a payment that is in a block at first sight: ${what}`, () => {
      const seen = after(undefined, { sighting: minedAt(mined) }, 60, polledAt === null ? null : at(polledAt))?.payin;
      assert.deepEqual([seen?.seenAt, seen?.firstConfirmedAt], [at(paid), at(paid)]);
      assert.deepEqual(seen?.seenAfter, polledAt === null ? null : at(polledAt));
    });
  }

  it('of its first block is bounded by the last poll that showed it waiting', () => {
    const payin = after(undefined, 0, 10, at(5))?.payin;
    const mined = (minutes: number, polledAt: number) =>
      after(payin, { sighting: minedAt(minutes) }, 60, at(polledAt))?.payin.firstConfirmedAt;
    assert.deepEqual([mined(30, 20), mined(5, 20), mined(90, 20)], [at(30), at(20), at(60)]);
    const missing = after(payin, 'nothing', 40, at(20))?.payin;
    const back = after(missing, { sighting: minedAt(25) }, 60, at(40))?.payin;
    assert.deepEqual(back?.firstConfirmedAt, at(25), 'a poll that did not show it proves nothing about the time');
    assert.deepEqual(back?.seenAt, at(10));
    const early = after(payin, { sighting: minedAt(7) }, 12, at(5))?.payin;
    assert.deepEqual([early?.seenAt, early?.firstConfirmedAt], [at(7), at(7)], 'a payment mined by then was made by then');
    assert.deepEqual(after(payin, { sighting: minedAt(1) }, 12, at(5))?.payin.seenAt, at(5), 'and not before a look without it');
  });

  it('of a waiting payment is our poll', () => {
    assert.deepEqual(after(undefined, 0, 60, at(5))?.payin.seenAt, at(60));
  });

  it('a fee that can’t be estimated now does not count as low', () => {
    const waits = (given: object): ObservedPayment => ({
      ...observedPayment(0),
      status: { at: 'mempool', isReplaceable: false, ...given },
    });
    const first = after(undefined, { sighting: waits({}) }, 0)?.payin;
    const low = after(first, { sighting: waits({ isFeeOk: false }) }, 1)?.payin;
    const still = after(low, { sighting: waits({}) }, 2)?.payin;
    assert.deepEqual([first?.isFeeOk, low?.isFeeOk, still?.isFeeOk], [true, false, false]);
  });
});
