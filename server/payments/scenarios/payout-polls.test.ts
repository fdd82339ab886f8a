// Tests when a send is looked up next, after each answer; and what is stored of the send and published with each event.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type RailAnswer, type Payout, type SendAttempt, type Step, type StepTerms, step } from '../payouts/machine/payout.ts';
import {
  NOW,
  absent,
  accepted,
  ago,
  attempt,
  chain,
  exists,
  forgetful,
  found,
  mined,
  payout,
  pending,
  provider,
  refused,
  terms,
  unknown,
  vague,
} from '../payouts/machine/payout.testing.ts';

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];
const days = (count: number): Date => ago(count * 24 * 60);
const by = (a: Partial<SendAttempt>, p: Partial<Payout>, answer: RailAnswer, t: Partial<StepTerms> = {}): Step =>
  step(attempt(a), [payout(p)], answer, terms(t));

describe('the next look-up', () => {
  const out = { status: 'sent', acceptedAt: ago(1), isFeePosted: true } as const;
  const final = { ...out, status: 'final' } as const;
  const refusedAt = (endedAt: Date) => ({ status: 'refused', endedAt }) as const;
  const done = found({ outcome: 'mined', txid: 't', height: 9, confirmations: 2, isFinalised: true, ok: true, fee: 0n });
  const atProvider = { proof: provider, follow: 0 };
  const rows: readonly (readonly [string, Partial<SendAttempt>, RailAnswer, Partial<StepTerms>, number | null])[] = [
    ['accepted by a chain', {}, accepted, {}, 5 * SECOND],
    ['accepted by a provider', { storedAt: NOW }, accepted, { proof: provider }, 5 * SECOND],
    ['a provider, by a quarter of its age', { storedAt: ago(8) }, accepted, { proof: provider }, 2 * MINUTE],
    ['a provider, at most a quarter of an hour', { storedAt: ago(600) }, accepted, { proof: provider }, 15 * MINUTE],
    ['no answer of a chain', {}, unknown, {}, 2 * SECOND],
    ['no answer for the eighth time', { tries: 7 }, unknown, {}, 256 * SECOND],
    ['no answer for the ninth time', { tries: 8 }, unknown, {}, 5 * MINUTE],
    ['no answer for the twentieth time', { tries: 19 }, unknown, {}, 5 * MINUTE],
    ['no answer of a provider', { storedAt: NOW }, unknown, { proof: provider }, 5 * SECOND],
    ['by a quarter of its age', { storedAt: ago(8) }, unknown, { proof: provider }, 2 * MINUTE],
    ['at most an hour', { storedAt: ago(6_000) }, unknown, { proof: provider }, HOUR],
    ['not shown by a chain', { status: 'doubtful', tries: 3 }, absent(false), {}, 8 * SECOND],
    ['not shown by a provider that had taken it', { ...out, storedAt: ago(8) }, absent(false), { proof: provider }, 2 * MINUTE],
    [
      'not shown by a provider, in doubt',
      { status: 'doubtful', storedAt: ago(8) },
      absent(false),
      { proof: provider },
      2 * MINUTE,
    ],
    ['refused just now', {}, refused, { proof: provider }, HOUR],
    ['refused three hours ago', refusedAt(ago(180)), absent(false), { proof: provider }, 3 * HOUR],
    ['refused two days ago', refusedAt(days(2)), absent(false), { proof: provider }, DAY],
    ['refused nearly 30 days ago', refusedAt(new Date(days(30).getTime() + 1)), absent(false), { proof: provider }, DAY],
    ['refused 30 days ago', refusedAt(days(30)), absent(false), { proof: provider }, null],
    ['refused, and sent again by a crash', refusedAt(ago(180)), unknown, { proof: provider }, 3 * HOUR],
    ['ended where nothing is ever shown', refusedAt(ago(180)), absent(false), { proof: vague }, null],
    ['ruled out', { status: 'doubtful' }, absent(true), {}, HOUR],
    ['given up for another', { ...out, status: 'replaced' }, absent(false), { hasRival: true }, MINUTE],
    ['given up for another, and still shown', { ...out, status: 'replaced' }, pending, { hasRival: true }, MINUTE],
    ['given up for another, ruled out', { ...out }, absent(true), { hasRival: true }, null],
    ['in a block: the next deciding block makes it due', out, mined(1), {}, 30 * SECOND],
    ['deep, still followed', out, mined(101), {}, MINUTE],
    ['followed to its end', out, mined(102), {}, null],
    ['done at a provider just now', { ...out, storedAt: ago(5) }, done, atProvider, HOUR],
    ['done at a provider five hours ago', { ...out, storedAt: ago(300) }, done, atProvider, 5 * HOUR],
    [
      'done at a provider nearly 30 days ago',
      { ...out, storedAt: new Date(days(30).getTime() + 1) },
      done,
      atProvider,
      30 * DAY - 1,
    ],
    ['done at a provider 30 days ago', { ...out, storedAt: days(30) }, done, atProvider, null],
    ['done and not shown any more', { ...final, storedAt: ago(300) }, absent(false), { proof: provider }, 5 * HOUR],
    ['undone, a reorg may still make it happen', out, mined(101, false), {}, 5 * SECOND],
    ['undone for good', out, mined(102, false), {}, null],
  ];
  for (const [what, one, answer, given, wait] of rows)
    it(what, () => assert.equal(by(one, { status: one.acceptedAt ? 'sent' : 'sending' }, answer, given).nextPoll, wait));
});

describe('blocks make a send in a block due', () => {
  const out = { status: 'sent', acceptedAt: ago(1), isFeePosted: true } as const;
  const deep = { depthOf: () => ({ confirmations: 12, isFinalised: false }) };
  const height = (confirmations: number, given = {}): number | null =>
    by(out, { status: 'sent' }, mined(confirmations), given).pollHeight;
  it('at the depth that it needs, and no earlier', () => {
    assert.deepEqual(
      [1, 2, 11].map((one) => height(one, deep)),
      [20, 20, 20],
    );
  });
  it('each block if only the chain’s own `finalized` counts', () => {
    assert.equal(height(12, { depthOf: () => ({ confirmations: 12, isFinalised: true }) }), null);
  });
  it('at its whole depth if it carries no payout', () => {
    assert.equal(step(attempt(out), [], mined(1), terms(deep)).pollHeight, 20);
  });
});

describe('a doubt at a provider is sent again', () => {
  const requested = (storedAt: Date, lastSentAt: Date | null, proof = provider): boolean =>
    by({ status: 'doubtful', storedAt, lastSentAt }, { status: 'in_doubt' }, absent(false), { proof }).isSentAgain;
  const less = (at: Date): Date => new Date(at.getTime() + 1);
  it('when as much time has passed as between the first send and the last', () => {
    assert.deepEqual([requested(ago(10), ago(5)), requested(ago(10), less(ago(5)))], [true, false]);
  });
  it('not within a minute', () => assert.deepEqual([requested(ago(1), null), requested(less(ago(1)), null)], [true, false]));
  it('once a day at least', () => {
    const long = { ...provider, dedupeMinutes: 90 * 24 * 60 };
    assert.deepEqual([requested(days(9), days(1), long), requested(days(9), less(days(1)), long)], [true, false]);
  });
  it('within 80 % of the window', () =>
    assert.deepEqual([requested(less(ago(48)), null), requested(ago(48), null)], [true, false]));
});

describe('a chain that neither takes nor shows a transaction', () => {
  const reported = (storedAt: Date, answer: RailAnswer): string | undefined =>
    by({ status: 'doubtful', storedAt }, {}, answer)
      .payouts[0]?.events.map(({ event }) => event)
      .join();
  it('is published as a doubt after an hour', () => {
    for (const answer of [unknown, absent(false)])
      assert.deepEqual([reported(ago(60), answer), reported(new Date(ago(60).getTime() + 1), answer)], ['unknown', '']);
  });
});

describe('stored facts', () => {
  it('of a send: time, number of tries, and outcome', () => {
    const sent = by({}, { status: 'preparing' }, accepted);
    const noted = { status: 'sent', tries: 1, lastSentAt: NOW, txid: 't', acceptedAt: NOW, isFeePosted: true } as const;
    assert.deepEqual(sent.attempt, attempt(noted));
    assert.deepEqual(sent.payouts[0]?.payout, payout({ status: 'sent', txid: 't' }));
    assert.deepEqual(sent.payouts[0]?.events, [{ event: 'accepted', extra: { txid: 't' } }]);
    const again = by({ ...noted, acceptedAt: ago(9) }, { status: 'sent' }, unknown);
    assert.deepEqual([again.attempt.acceptedAt, again.attempt.tries, again.attempt.status], [ago(9), 2, 'sent']);
    assert.equal(by({}, {}, exists, { proof: provider }).attempt.isKnown, true);
    assert.equal(by({}, {}, unknown, { proof: provider }).attempt.isKnown, false);
  });

  it('of a look-up: its position, and since when it is missing', () => {
    const out = { status: 'sent', acceptedAt: ago(1), isFeePosted: true, missingSince: ago(3), confirmations: 7 } as const;
    const seen = by(out, { status: 'sent' }, mined(1)).attempt;
    assert.deepEqual([seen.height, seen.confirmations, seen.missingSince], [9, 1, null]);
    const waits = by({ ...out, height: 9 }, { status: 'sent' }, pending).attempt;
    assert.deepEqual([waits.height, waits.confirmations, waits.missingSince, waits.txid], [null, 0, null, null]);
    const gone = by({ ...out, height: 9, missingSince: null }, { status: 'sent', confirmations: 1 }, absent(false));
    assert.deepEqual([gone.attempt.height, gone.attempt.missingSince, gone.payouts[0]?.payout.confirmations], [null, NOW, 0]);
    assert.deepEqual(by(out, { status: 'sent' }, absent(false)).attempt.missingSince, ago(3));
  });

  it('of an end: time, reason, and that it may be tried again', () => {
    const no = by({}, {}, refused, { proof: provider });
    assert.deepEqual([no.attempt.status, no.attempt.endedAt], ['refused', NOW]);
    assert.deepEqual([no.payouts[0]?.payout.reason, no.payouts[0]?.events[0]?.extra], ['no', { reason: 'no' }]);
    const never = by({ status: 'sent', acceptedAt: ago(1), isFeePosted: true }, { status: 'sent' }, absent(true));
    const extra = { reason: 'another transaction spent the same', isTransient: true };
    assert.deepEqual([never.attempt.isFeePosted, never.payouts[0]?.events], [false, [{ event: 'returned', extra }]]);
    const late = by({ status: 'refused', endedAt: ago(5) }, { status: 'failed' }, pending, { proof: provider });
    assert.deepEqual([late.attempt.endedAt, late.payouts[0]?.payout.isFoundLate], [null, true]);
    assert.deepEqual(late.payouts[0]?.events, [{ event: 'found_late', extra: { txid: 't' } }]);
    const back = by({ ...late.attempt }, { status: 'failed', isFoundLate: true }, mined(102, false), {
      proof: forgetful,
      follow: 0,
    });
    assert.deepEqual([back.payouts[0]?.payout.isFoundLate, back.payouts[0]?.events[0]?.extra], [false, { reason: 'reverted' }]);
  });

  it('of a doubt: its reason, and news about a known one', () => {
    const doubt = by({}, {}, unknown, { proof: provider }).payouts[0];
    assert.deepEqual(
      [doubt?.payout.reason, doubt?.events],
      ['no answer', [{ event: 'unknown', extra: { reason: 'no answer' } }]],
    );
    const known = { status: 'in_doubt', reason: 'no answer' } as const;
    const reasons = [exists, unknown, refused].map(
      (answer) => by({ status: 'doubtful' }, known, answer, { proof: provider }).payouts[0]?.payout.reason,
    );
    assert.deepEqual(reasons, ['used', 'no answer', 'no answer']);
    const nothing = by({}, {}, absent(false), { proof: vague }).payouts[0];
    assert.deepEqual(
      nothing?.events.map(({ event, extra }) => [event, extra?.reason]),
      [
        ['unknown', 'the look-up proves nothing here'],
        ['dedupe_over', undefined],
      ],
    );
    assert.equal(nothing?.payout.isDedupeOver, true);
  });

  it('of depth: by each payout’s own sum', () => {
    const deep = (one: Payout | undefined) => ({ confirmations: one?.id === 'small' ? 1 : 3, isFinalised: false });
    const both = [payout({ id: 'small', status: 'sent' }), payout({ id: 'large', status: 'sent' })];
    const out = attempt({ status: 'sent', acceptedAt: ago(1), isFeePosted: true });
    const made = step(out, both, mined(1), terms({ depthOf: deep }));
    assert.deepEqual(
      made.payouts.map(({ payout: { status, confirmations, attemptId, txid }, events }) => [
        status,
        confirmations,
        attemptId,
        txid,
        events,
      ]),
      [
        ['final', 1, 'a', 't', [{ event: 'final', extra: { txid: 't', confirmations: 1, needed: 1 } }]],
        ['sent', 1, 'a', 't', [{ event: 'progress', extra: { txid: 't', confirmations: 1, needed: 3 } }]],
      ],
    );
    assert.deepEqual([made.attempt.status, made.money], ['sent', []], 'the whole is as deep as its sum needs, or not final');
  });
});

describe('a finished send', () => {
  const done = { status: 'final', acceptedAt: ago(1), isFeePosted: true } as const;
  const paid = { status: 'final', txid: 't', confirmations: 2 } as const;
  const left = ({ attempt: { status }, payouts: [one], money, isSentAgain }: Step) => [
    status,
    one?.payout.status,
    one?.events,
    money,
    isSentAgain,
  ];
  it('stays finished when it is shown again, and nothing is posted anew', () => {
    assert.deepEqual(left(by(done, paid, mined(2))), ['final', 'final', [], [], false]);
    assert.deepEqual(left(by(done, paid, accepted)), ['final', 'final', [], [], false]);
  });
  it('is not in doubt if its provider does not show it', () => {
    assert.deepEqual(left(by(done, paid, absent(false), { proof: provider, follow: 0 })), ['final', 'final', [], [], false]);
  });
});

describe('a sweep, which pays nobody', () => {
  const swept = (a: Partial<SendAttempt>, answer: RailAnswer, t: Partial<StepTerms> = {}): Step =>
    step(attempt({ purpose: 'collect', ...a }), [], answer, terms(t));
  const there = { status: 'final', acceptedAt: ago(1), isFeePosted: true } as const;
  it('that had arrived and can’t happen any more is sent again, and its money is not moved in the books', () => {
    const made = swept(there, absent(true));
    assert.deepEqual([made.attempt.status, made.money, made.isSentAgain], ['final', [], true]);
    assert.deepEqual(swept(there, absent(true), { maySend: false }).isSentAgain, false);
  });
  it('that was only sent comes back', () => {
    const made = swept({ ...there, status: 'sent' }, absent(true));
    assert.deepEqual([made.attempt.status, made.money], ['absent', [{ what: 'fee_back', parts: 1_000n }, { what: 'back' }]]);
    const free = swept({ ...there, status: 'sent', fee: 0n }, absent(true));
    assert.deepEqual(free.money, [{ what: 'back' }], 'a send without a fee returns none');
  });
  it('as a replacement, posts no money that the first one has posted', () => {
    const made = swept({ isReplacement: true }, accepted);
    assert.deepEqual([made.money, made.attempt.acceptedAt], [[{ what: 'fee', parts: 1_000n }], NOW]);
    const mind = swept({ status: 'absent', acceptedAt: null, isReplacement: true, endedAt: ago(1) }, mined(2));
    assert.deepEqual(mind.money, [{ what: 'left' }, { what: 'fee', parts: 1_000n }, { what: 'arrived' }]);
  });
});

it('only a chain’s answer rules an accepted send out', () => {
  for (const proof of [chain, provider, forgetful, vague]) {
    const made = by({ status: 'sent', acceptedAt: ago(1) }, { status: 'sent' }, absent(true), { proof });
    assert.equal(made.attempt.status, proof === chain ? 'absent' : 'sent', 'only a chain rules an accepted send out');
  }
});
